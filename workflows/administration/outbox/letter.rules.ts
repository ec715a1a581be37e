/** How a letter begins, also where no name is known. */
export const salutation = (firstName: string): string =>
  firstName.trim() === '' ? 'Hello,' : `Hello ${firstName.trim()},`;

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const TIME = new Intl.DateTimeFormat('en-GB', { timeStyle: 'short', timeZone: 'UTC' });

/** A day as people read it, in UTC: 22 November 2026. */
export const dayInWords = (moment: Date): string => DAY.format(moment);

/** A moment as people read it: 22 November 2026, 18:30 UTC. */
export const momentInWords = (moment: Date): string => `${DAY.format(moment)}, ${TIME.format(moment)} UTC`;

import { counted } from '../counted.rules';

/** Asks a new person to confirm their e-mail address with a code. */
export const verificationLetter = (
  firstName: string,
  code: string,
  { verificationHours, unverifiedDays }: { verificationHours: number; unverifiedDays: number },
) => ({
  subject: 'Confirm your e-mail address',
  greeting: `Hello ${firstName},`,
  paragraphs: [
    `Welcome! Confirm with this code that the address is yours. It is good for ${counted(verificationHours, 'hour')} and for one use.`,
    `If you did not register, do nothing: the account is removed after ${counted(unverifiedDays, 'day')}.`,
  ],
  code,
});

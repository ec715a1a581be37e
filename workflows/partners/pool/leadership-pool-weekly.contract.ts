import { opener } from './leadership-pool.contract';

/** Monday: starts the pool of the week that has closed, and of earlier ones that were missed. */
export const leadershipPoolWeeklyProcess = opener('WEEKLY', 'leadershipPoolWeekly');

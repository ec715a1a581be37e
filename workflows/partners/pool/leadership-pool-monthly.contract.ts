import { opener } from './leadership-pool.contract';

/** The 1st: starts the pool of the month that has closed, and of earlier ones that were missed. */
export const leadershipPoolMonthlyProcess = opener('MONTHLY', 'leadershipPoolMonthly');

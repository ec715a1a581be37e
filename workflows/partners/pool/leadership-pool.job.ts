import type { Job } from '../../kit/job/job.contract';

/** Monday: starts the pool of the week that has closed, and of earlier ones that were missed. */
export const leadershipPoolWeekly: Job = {
  id: 'leadership-pool-weekly',
  area: 'partners',
  says: 'Leadership pools of weeks that have closed',
  at: { weekly: '00:00' },
  eachTimeOf: '365 days',
};

/** The first of a month: starts the pool of the month that has closed, and of earlier ones that were missed. */
export const leadershipPoolMonthly: Job = {
  id: 'leadership-pool-monthly',
  area: 'partners',
  says: 'Leadership pools of months that have closed',
  at: { monthly: '00:00' },
  eachTimeOf: '365 days',
};

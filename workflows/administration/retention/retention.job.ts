import type { Job } from '../../kit/job/job.contract';

/** Deletes expired data; `db/administration/retention/retention.rules.ts` has the periods, and what is kept for good. */
export const retention: Job = {
  id: 'retention',
  area: 'administration',
  says: 'Deletion of expired data',
  at: { daily: '04:00' },
};

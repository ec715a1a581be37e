import type { Job } from '../../kit/job/job.contract';

/** Sales older than POLICY_POPULARITY_DAYS stop counting for popularity. */
export const cataloguePopularity: Job = {
  id: 'catalogue-popularity',
  area: 'catalog',
  says: 'Popularity of products by their recent sales',
  at: { daily: '00:30' },
};

import type { Job } from '../../kit/job/job.contract';

/**
 * The facts that were stored since the last run are added to the rollups by which figures are answered quickly. Until then figures
 * count them one by one, so that they are always right.
 */
export const analyticsRollup: Job = {
  id: 'analytics-rollup',
  area: 'administration',
  says: 'Rollups of figures',
  at: { every: '1 minute', offset: '45 seconds' },
};

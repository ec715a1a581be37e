import type { Policy } from '../db/policy/config';
import type { JobId } from '../workflows/jobs';
import type { JobWork } from './administration/job/job-work';
import { maturationWork } from './partners/maturation/mature-commissions';
import { popularityWork } from './catalog/popularity/recount-popularity';
import { rollupWork } from './administration/analytics/roll-up-facts';

export interface JobDeps {
  policy: Policy;
}

/** The work of each job. */
export const jobWorks = ({ policy }: JobDeps): Record<JobId, JobWork> => ({
  'commission-maturation': maturationWork(policy),
  'catalogue-popularity': popularityWork(policy),
  'analytics-rollup': rollupWork(),
});

import type { Job } from '../../kit/job/job.contract';

/**
 * Starts a push of identity verifications to each provider, so that one that fails stops no other. It waits for no push; the next
 * slot makes up for one that failed, since changes are found in the rows.
 */
export const kycSync: Job = {
  id: 'kyc-sync',
  area: 'investment',
  says: 'Identity verifications to investment providers',
  at: { every: '6 hours' },
};

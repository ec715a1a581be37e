import type { Job } from '../../kit/job/job.contract';

/** Approvals whose time is over end, and users are told POLICY_KYC_NOTICE_DAYS ahead. */
export const kycExpiry: Job = {
  id: 'kyc-expiry',
  area: 'kyc',
  says: 'Expiry of identity verifications, and notices of it',
  at: { daily: '02:00' },
};

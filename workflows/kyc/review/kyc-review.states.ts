import { stateTable, type StateOf } from '../../kit/state-table';

/**
 * One verification. Its user, a reviewer and the timer move it by this table only. NOT_STARTED is the state of a user who
 * has none. NEEDS_INFO that nobody answers becomes REJECTED, an approval whose time is over EXPIRED; an approval that a later
 * one replaces SUPERSEDED; one whose account is erased, or that its user left unfinished, WITHDRAWN.
 */
export const kycVerificationStates = stateTable('kyc_verifications', {
  DOCUMENTS_PENDING: ['SUBMITTED', 'WITHDRAWN'],
  SUBMITTED: ['UNDER_REVIEW', 'APPROVED', 'REJECTED', 'NEEDS_INFO', 'WITHDRAWN'],
  UNDER_REVIEW: ['SUBMITTED', 'APPROVED', 'REJECTED', 'NEEDS_INFO', 'WITHDRAWN'],
  NEEDS_INFO: ['SUBMITTED', 'REJECTED', 'WITHDRAWN'],
  APPROVED: ['EXPIRED', 'SUPERSEDED', 'WITHDRAWN'],
  REJECTED: [],
  EXPIRED: [],
  SUPERSEDED: [],
  WITHDRAWN: [],
});

export type KycVerificationStatus = StateOf<typeof kycVerificationStates>;

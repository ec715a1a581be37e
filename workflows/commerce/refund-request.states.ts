import { stateTable, type StateOf } from '../state-table';

/**
 * What becomes of money that a buyer asks back. Chosen: approval and the beginning of the way back are one transaction,
 * so APPROVED is passed through and never seen standing.
 */
export const refundRequestStates = stateTable({
  PENDING_REVIEW: ['APPROVED', 'REJECTED'],
  APPROVED: ['PROCESSING'],
  PROCESSING: ['COMPLETED', 'FAILED'],
  REJECTED: [],
  COMPLETED: [],
  FAILED: [],
});

export type RefundRequestStatus = StateOf<typeof refundRequestStates>;

import { stateTable, type StateOf } from '../../kit/state-table';

/**
 * What becomes of money that a buyer asks back. Chosen: approval and the beginning of the way back are one transaction,
 * so APPROVED is passed through and never seen standing. What FAILED is owed until a person has sent it by hand. COMPLETED
 * is an end, but that `owedAgain` (db) takes it back to FAILED when the bank returns the chargeback that had paid the request.
 */
export const refundRequestStates = stateTable({
  PENDING_REVIEW: ['APPROVED', 'REJECTED'],
  APPROVED: ['PROCESSING'],
  PROCESSING: ['COMPLETED', 'FAILED'],
  REJECTED: [],
  COMPLETED: [],
  FAILED: ['COMPLETED'],
});

export type RefundRequestStatus = StateOf<typeof refundRequestStates>;

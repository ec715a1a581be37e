import { stateTable, type StateOf } from '../../kit/state-table';

/**
 * A buyer's request for money back. Chosen: the approval and the start of the refund are one transaction, so APPROVED is
 * never visible. The money of a FAILED request is owed until a person has sent it by hand. COMPLETED is final, except that
 * `failCompletedRequest` (db) sets it to FAILED when the bank returns the chargeback that had paid the request, or a provider
 * could not deliver what it had sent.
 */
export const refundRequestStates = stateTable('refund_requests', {
  PENDING_REVIEW: ['APPROVED', 'REJECTED'],
  APPROVED: ['PROCESSING'],
  PROCESSING: ['COMPLETED', 'FAILED'],
  REJECTED: [],
  COMPLETED: [],
  FAILED: ['COMPLETED'],
});

export type RefundRequestStatus = StateOf<typeof refundRequestStates>;

/** The statuses of a request that waits for a decision, or whose money is under way. */
export const OPEN_REFUND_REQUESTS = [
  'PENDING_REVIEW',
  'APPROVED',
  'PROCESSING',
] as const satisfies readonly RefundRequestStatus[];

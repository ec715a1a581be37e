import { stateTable, type StateOf } from '../../kit/state-table';

/** Why money goes back to a buyer; REFUND: because a request for it was approved. */
export const REFUND_REASONS = [
  'CANCELLATION',
  'LATE_PAYMENT',
  'DUPLICATE_PAYMENT',
  'AMOUNT_MISMATCH',
  'REFUND',
] as const;

export type RefundReason = (typeof REFUND_REASONS)[number];

/**
 * An amount on its way back to a buyer. A refund that was given up stays owed, until a person has sent it by hand.
 * CHARGED_BACK: it reached the buyer by a chargeback that we lost; should the bank return that, it is owed again. COMPLETED is
 * final, except that `markReturned` (db) sets it to ABANDONED when the provider could not deliver what it had sent.
 */
export const paymentRefundStates = stateTable('payment_refunds', {
  PROCESSING: ['COMPLETED', 'ABANDONED', 'CHARGED_BACK'],
  ABANDONED: ['COMPLETED', 'CHARGED_BACK'],
  CHARGED_BACK: ['PROCESSING'],
  COMPLETED: [],
});

export type PaymentRefundStatus = StateOf<typeof paymentRefundStates>;

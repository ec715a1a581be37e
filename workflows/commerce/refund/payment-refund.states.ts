import { stateTable, type StateOf } from '../../kit/state-table';

/**
 * What becomes of one sum on its way back. What was given up stays owed, until a person has sent it by hand.
 * CHARGED_BACK: it reached the buyer by a chargeback that we lost; should the bank return that, it is owed again.
 */
export const paymentRefundStates = stateTable({
  PROCESSING: ['COMPLETED', 'ABANDONED', 'CHARGED_BACK'],
  ABANDONED: ['COMPLETED', 'CHARGED_BACK'],
  CHARGED_BACK: ['PROCESSING'],
  COMPLETED: [],
});

export type PaymentRefundStatus = StateOf<typeof paymentRefundStates>;

import { stateTable, type StateOf } from '../state-table';

/** What becomes of one sum on its way back. What was given up stays owed, until a person has sent it by hand. */
export const paymentRefundStates = stateTable({
  PROCESSING: ['COMPLETED', 'ABANDONED'],
  ABANDONED: ['COMPLETED'],
  COMPLETED: [],
});

export type PaymentRefundStatus = StateOf<typeof paymentRefundStates>;

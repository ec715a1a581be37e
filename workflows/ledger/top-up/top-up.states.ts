import { stateTable, type StateOf } from '../../kit/state-table';

/** The moves of a top-up by its payment, its payment window and its owner. One that is paid is in the wallet. */
export const topUpStates = stateTable('top_ups', {
  PENDING_PAYMENT: ['PAID', 'CANCELLED'],
  PAID: [],
  CANCELLED: [],
});

export type TopUpStatus = StateOf<typeof topUpStates>;

import { stateTable, type StateOf } from '../../kit/state-table';

/**
 * The payout of a withdrawn participation. CREDITED: the transfer was refused, and the money is in the wallet instead.
 */
export const withdrawalStates = stateTable('investment_withdrawals', {
  PROCESSING: ['COMPLETED', 'CREDITED'],
  COMPLETED: [],
  CREDITED: [],
});

export type WithdrawalStatus = StateOf<typeof withdrawalStates>;

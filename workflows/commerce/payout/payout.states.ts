import { stateTable, type StateOf } from '../../kit/state-table';

/**
 * A payout of a partner, or of a wallet. Its amount is held from the request on. PROCESSING: it may be on its way, so only a
 * certain refusal of the transfer leads back to APPROVED.
 */
export const payoutStates = stateTable('payouts', {
  PENDING: ['APPROVED', 'REJECTED', 'CANCELLED'],
  APPROVED: ['PROCESSING', 'REJECTED', 'CANCELLED'],
  PROCESSING: ['COMPLETED', 'APPROVED'],
  COMPLETED: [],
  REJECTED: [],
  CANCELLED: [],
});

export type PayoutStatus = StateOf<typeof payoutStates>;

/** The statuses of a payout that may still send money. */
export const OPEN_PAYOUTS = ['PENDING', 'APPROVED', 'PROCESSING'] as const satisfies readonly PayoutStatus[];

import { stateTable, type StateOf } from '../../kit/state-table';

/**
 * The moves of a commission by the daily job, administrators, refunds and payouts. PENDING and HELD are booked in
 * `partner_pending`, APPROVED in `partner_available`.
 */
export const commissionStates = stateTable({
  PENDING: ['APPROVED', 'HELD', 'REVERSED'],
  APPROVED: ['HELD', 'REVERSED', 'PAID'],
  HELD: ['APPROVED', 'REVERSED'],
  PAID: [],
  REVERSED: [],
});

export type CommissionStatus = StateOf<typeof commissionStates>;

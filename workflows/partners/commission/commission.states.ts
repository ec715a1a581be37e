import { stateTable, type StateOf } from '../../kit/state-table';

/**
 * The moves of a commission by the daily job, administrators, refunds, chargebacks and payouts. PENDING and HELD are booked
 * in `partner_pending`, APPROVED in `partner_available`. A lost chargeback that is returned restores the state that it found.
 */
export const commissionStates = stateTable('partner_commissions', {
  PENDING: ['APPROVED', 'HELD', 'REVERSED'],
  APPROVED: ['HELD', 'REVERSED', 'PAID'],
  HELD: ['APPROVED', 'REVERSED'],
  PAID: [],
  REVERSED: ['PENDING', 'HELD', 'APPROVED'],
});

export type CommissionStatus = StateOf<typeof commissionStates>;

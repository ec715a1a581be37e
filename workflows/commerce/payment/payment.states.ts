import { stateTable, type StateOf } from '../../kit/state-table';

/**
 * One try to pay for an order. Money overrides earlier reports: a payment that was reported declined, expired or given up
 * may still arrive, but nothing takes PAID back.
 */
export const paymentAttemptStates = stateTable('payment_attempts', {
  PENDING: ['PAID', 'DECLINED', 'EXPIRED', 'CANCELLED'],
  DECLINED: ['PAID'],
  EXPIRED: ['PAID'],
  CANCELLED: ['PAID'],
  PAID: [],
});

export type PaymentAttemptStatus = StateOf<typeof paymentAttemptStates>;

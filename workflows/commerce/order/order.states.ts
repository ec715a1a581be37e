import { stateTable, type StateOf } from '../../kit/state-table';

/** The moves of an order by buyers, administrators, providers and timers. REFUNDED: refunded in full. */
export const orderStates = stateTable('orders', {
  PENDING_PAYMENT: ['PAID', 'CANCELLED'],
  PAID: ['PROCESSING', 'CANCELLED', 'REFUNDED'],
  PROCESSING: ['SHIPPED', 'CANCELLED', 'REFUNDED'],
  SHIPPED: ['DELIVERED', 'REFUNDED'],
  DELIVERED: ['REFUNDED'],
  CANCELLED: [],
  REFUNDED: [],
});

export type OrderStatus = StateOf<typeof orderStates>;

/** The states of an order's payment as buyers see it. */
export const ORDER_PAYMENT_STATUSES = ['PENDING', 'PAID', 'FAILED', 'REFUNDED'] as const;
export type OrderPaymentStatus = (typeof ORDER_PAYMENT_STATUSES)[number];

/** True until the parcel has left. */
export const isCancellable = (status: OrderStatus): boolean => orderStates.canMove(status, 'CANCELLED');

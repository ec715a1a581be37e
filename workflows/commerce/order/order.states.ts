import { stateTable, type StateOf } from '../../kit/state-table';

/** The life of an order, for buyer, administrator, provider and timer alike. REFUNDED means refunded in full. */
export const orderStates = stateTable({
  PENDING_PAYMENT: ['PAID', 'CANCELLED'],
  PAID: ['PROCESSING', 'CANCELLED', 'REFUNDED'],
  PROCESSING: ['SHIPPED', 'CANCELLED', 'REFUNDED'],
  SHIPPED: ['DELIVERED', 'REFUNDED'],
  DELIVERED: ['REFUNDED'],
  CANCELLED: [],
  REFUNDED: [],
});

export type OrderStatus = StateOf<typeof orderStates>;

/** Whether the buyer may still cancel: until the parcel has left. */
export const isCancellable = (status: OrderStatus): boolean => orderStates.canMove(status, 'CANCELLED');

import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';
import type { OrderActivities, OrderState } from '../order/order.contract';
import { summaryOf } from '../order/order-label.rules';
import type { OrderStatus } from '../order/order.states';

export interface FulfilmentInput {
  orderId: string;
  userId: string;
  /** The order as people name it, for the summary. */
  label?: string;
  /** When operators were last asked to move the order (ISO 8601); set by a process that continues as new. */
  askedAt?: string | null;
  /** True if an operator has abandoned the beginning: only people move the order; set likewise. */
  isLeftToPeople?: boolean;
}

export type FulfilmentResult = 'DELIVERED' | 'CANCELLED' | 'REFUNDED';

/** One paid order until the buyer has it. */
export const fulfilmentProcess = defineProcess<FulfilmentInput, FulfilmentResult, 'orderId'>({
  type: 'fulfilment',
  queue: 'interactive',
  area: 'commerce',
  id: ({ orderId }) => `fulfilment:${orderId}`,
  entityId: ({ orderId }) => orderId,
  resource: 'order',
  orderId: ({ orderId }) => orderId,
  userId: ({ userId }) => userId,
  summary: ({ orderId, label }) => summaryOf(label, 'fulfilment', `Fulfilment of order ${orderId}`),
  // One that was terminated goes on with the next move or cancellation; one of an order that has ended ends at once.
  repeatable: true,
  parks: true,
  drives: {
    table: 'orders',
    name: 'number',
    key: { orderId: 'id', userId: 'user_id' },
    column: 'status',
    open: ['PAID', 'PROCESSING', 'SHIPPED'],
    settled: ['DELIVERED', 'CANCELLED', 'REFUNDED'],
    since: 'updated_at',
    // Checkout still drives an order that was just paid, until it starts fulfilment.
    orBy: ['checkout'],
  },
});

/** A move of an order by an administrator. */
export interface MoveOrder {
  to: 'PROCESSING' | 'SHIPPED' | 'DELIVERED';
  /** The request note with the author, their address and their words. */
  noteId: string;
  /** The stored note whose text is for administrators only; left out: there is none. */
  internalNoteId?: string;
  /** The carrier's number of the parcel. Left out: unchanged; null: removed. */
  trackingNumber?: string | null;
  /** The parcel's page, if it differs from the carrier's own page of the number. */
  trackingUrl?: string | null;
  /** True: the buyer gets a mail. */
  notifyCustomer: boolean;
}

/** The state of an order after a move. */
export interface MovedOrder {
  status: OrderStatus;
  trackingNumber: string | null;
  /** ISO 8601. */
  updatedAt: string;
}

/** Moves an order. Refused: VALIDATION_ERROR on `status` for a move that `orderStates` does not allow. */
export const moveOrder = decision<MovedOrder, [MoveOrder]>('moveOrder', { ifClosed: 'CANNOT_CANCEL' });

/** The status of an order, and the time (ISO 8601) until which it may stay in it; null: without limit. */
export interface FulfilmentDeadline {
  status: OrderStatus;
  until: string | null;
}

export interface FulfilmentActivities extends OrderActivities {
  /** PAID → PROCESSING; any other order does not move. */
  beginProcessing: (order: { orderId: string; at: string }) => Promise<OrderState>;
  /**
   * The time until which an order may stay in its status. SHIPPED then counts as delivered; PAID and PROCESSING ask
   * operators, and again after the same time from `askedAt`.
   */
  fulfilmentDeadline: (order: { orderId: string; askedAt: string | null }) => Promise<FulfilmentDeadline>;
  /** SHIPPED → DELIVERED after its time; any other order does not move. */
  deliverInTime: (order: { orderId: string; at: string }) => Promise<OrderState>;
  /** The move with its history, parcel, tracking event, mail and audit record. A repetition returns the state. */
  moveOrder: (order: { orderId: string } & MoveOrder & { at: string }) => Promise<MovedOrder>;
}

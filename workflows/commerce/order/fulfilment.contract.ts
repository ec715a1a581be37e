import { defineUpdate } from '@temporalio/workflow';
import { defineProcess } from '../../kit/process';
import type { OrderActivities, OrderState } from './order.contract';
import type { OrderStatus } from './order.states';

export interface FulfilmentInput {
  orderId: string;
  userId: string;
}

export type FulfilmentResult = 'DELIVERED' | 'CANCELLED' | 'REFUNDED';

/** One paid order on its way to the buyer. */
export const fulfilmentProcess = defineProcess<FulfilmentInput, FulfilmentResult, 'orderId'>({
  type: 'fulfilment',
  queue: 'interactive',
  area: 'commerce',
  id: ({ orderId }) => `fulfilment:${orderId}`,
  entityId: ({ orderId }) => orderId,
  userId: ({ userId }) => userId,
  summary: ({ orderId }) => `Fulfilment of order ${orderId}`,
});

/** What an administrator does with an order that goes well. */
export interface MoveOrder {
  to: 'PROCESSING' | 'SHIPPED' | 'DELIVERED';
  /** The kept note: who moves it, from where, in which words. */
  noteId: string;
  /** What the carrier calls the parcel. Left out: as it is; null: taken away. */
  trackingNumber?: string | null;
  /** The parcel's page, if it is not the one that the carrier's template makes of the number. */
  trackingUrl?: string | null;
  /** Whether the buyer is told by mail. */
  notifyCustomer: boolean;
}

/** Where an order stands after a move. */
export interface MovedOrder {
  status: OrderStatus;
  trackingNumber: string | null;
  /** ISO 8601. */
  updatedAt: string;
}

/** Moves an order on. Refused: VALIDATION_ERROR, naming `status`, when the table has no such move from where it is. */
export const moveOrder = defineUpdate<MovedOrder, [MoveOrder]>('moveOrder');

/** How an order stands, and until when it may stay so (ISO 8601). */
export interface FulfilmentDeadline {
  status: OrderStatus;
  until: string | null;
}

export interface FulfilmentActivities extends OrderActivities {
  /** PAID → PROCESSING; an order that has moved on stays where it is. */
  beginProcessing: (order: { orderId: string; at: string }) => Promise<OrderState>;
  /**
   * Until when an order may stay in its status: SHIPPED then counts as delivered, PAID and PROCESSING ask for parking,
   * again as long after `askedAt`. Null: without limit.
   */
  fulfilmentDeadline: (order: { orderId: string; askedAt: string | null }) => Promise<FulfilmentDeadline>;
  /** SHIPPED → DELIVERED when its time has passed and nobody said otherwise; any other order stays where it is. */
  deliverInTime: (order: { orderId: string; at: string }) => Promise<OrderState>;
  /** The move with all that belongs to it: history, parcel, tracking, mail, audit. Done before: how it stands. */
  moveOrder: (order: { orderId: string } & MoveOrder & { at: string }) => Promise<MovedOrder>;
}

import { defineProcess } from '../process';
import type { OrderActivities, OrderStanding } from './order.contract';

export interface FulfilmentInput {
  orderId: string;
  userId: string;
}

export type FulfilmentResult = 'CANCELLED';

/** One paid order on its way to the buyer. */
export const fulfilmentProcess = defineProcess<FulfilmentInput, FulfilmentResult>({
  type: 'fulfilment',
  queue: 'interactive',
  area: 'commerce',
  id: ({ orderId }) => `fulfilment:${orderId}`,
  entityId: ({ orderId }) => orderId,
  userId: ({ userId }) => userId,
  summary: ({ orderId }) => `Fulfilment of order ${orderId}`,
});

export interface FulfilmentActivities extends OrderActivities {
  /** PAID → PROCESSING; an order that has moved on stays where it is. */
  beginProcessing: (order: { orderId: string; at: string }) => Promise<OrderStanding>;
}

import { defineProcess } from '../process';
import type { RefundDue } from './order.contract';

export type PaymentRefundResult = 'COMPLETED' | 'ABANDONED';

/** One sum on its way back through the provider that brought it. */
export const paymentRefundProcess = defineProcess<RefundDue, PaymentRefundResult>({
  type: 'paymentRefund',
  queue: 'interactive',
  area: 'commerce',
  id: ({ refundId }) => `payment-refund:${refundId}`,
  entityId: ({ refundId }) => refundId,
  summary: ({ orderId }) => `Money back for order ${orderId}`,
});

export interface RefundBookActivities {
  /** The code of the provider that brought the money and sends it back. */
  refundProvider: (refund: { refundId: string }) => Promise<string>;
  /**
   * Books the refund as done and tells the order. Done before: nothing. Answers the request that it was asked for by;
   * null for money that goes back by itself.
   */
  completeRefund: (refund: {
    refundId: string;
    providerRefundId: string;
    at: string;
  }) => Promise<string | null>;
  /** Gives the refund up; the money stays owed. Answers as `completeRefund` does. */
  abandonRefund: (refund: { refundId: string; at: string }) => Promise<string | null>;
}

export interface RefundCallActivities {
  /**
   * Sends the money back, once: a try whose outcome is unknown is looked up before it is repeated. `again`: it was
   * tried before, in a step that was given to a person.
   */
  sendRefund: (refund: { refundId: string; again: boolean }) => Promise<{ providerRefundId: string }>;
}

import { defineSignal, defineUpdate } from '@temporalio/workflow';
import { defineProcess } from '../../kit/process';
import type { RefundDue } from '../order/order.contract';
import type { OrderStatus } from '../order/order.states';
import type { PaymentRefundStatus } from './payment-refund.states';

export type PaymentRefundResult = 'COMPLETED' | 'CHARGED_BACK' | 'ABANDONED';

/** One sum on its way back: through the provider that brought it, or by a person from our bank account. */
export const paymentRefundProcess = defineProcess<RefundDue, PaymentRefundResult, 'refundId'>({
  type: 'paymentRefund',
  queue: 'interactive',
  area: 'commerce',
  id: ({ refundId }) => `payment-refund:${refundId}`,
  entityId: ({ refundId }) => refundId,
  summary: ({ orderId }) => `Money back for order ${orderId}`,
  // What was given up is settled by a run of its own, and so is what a returned chargeback had paid.
  repeatable: true,
});

/** Somebody has sent the money from our bank account. */
export interface RefundSettlement {
  /** The kept note that says who, with the reference of the transfer. */
  noteId: string;
  /** What was sent, in major units, to be compared with what is owed; absent: not said. */
  amount?: number;
}

/**
 * Says that a person has sent the money. Refused: ALREADY_SETTLED, CANNOT_SETTLE (the provider may still send it, or the
 * buyer's bank took it back), VALIDATION_ERROR (the reference is of another refund, or the refund of another amount).
 */
export const settleRefund = defineUpdate<null, [RefundSettlement]>('settleRefund');

/** A chargeback of the payment was lost, or returned to us. */
export const chargebackDecided = defineSignal('chargebackDecided');

/** How a refund stands, and whom it concerns. */
export interface PaymentRefundStanding {
  status: PaymentRefundStatus;
  /**
   * Whether it was given up, but is to be looked up at its provider before a lost chargeback ends it; absent in what an
   * older version answered.
   */
  awaitsLookUp?: boolean;
  /** What it was asked for by; null for money that goes back by itself. */
  refundRequestId: string | null;
  orderId: string;
  userId: string;
  orderStatus: OrderStatus;
}

/**
 * How the money was sent, or that a person has to send it, and when they are to be reminded. NOBODY: the refund has ended
 * already, settled by a person or by a chargeback that we lost.
 */
export type SentRefund =
  | { sentBy: 'PROVIDER'; providerRefundId: string }
  | { sentBy: 'PERSON'; remindAfterMs: number }
  | { sentBy: 'NOBODY' };

export interface RefundBookActivities {
  paymentRefundStanding: (refund: { refundId: string }) => Promise<PaymentRefundStanding>;
  /** Books the refund as sent by hand, audits it and tells the buyer. The same settlement again changes nothing. */
  settleRefund: (refund: RefundSettlement & { refundId: string; at: string }) => Promise<void>;
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
  /** Gives the refund up; what no lost chargeback has paid stays owed. Answers as `completeRefund` does. */
  abandonRefund: (refund: { refundId: string; at: string }) => Promise<string | null>;
}

export interface RefundCallActivities {
  /**
   * Sends the money back, once: a try whose outcome is unknown is looked up before it is repeated. `again`: it was
   * tried before, in a step that was given to a person. What a lost chargeback has paid is not sent, and ends.
   * What was given up is only looked up, where it awaits that.
   * `at`: absent in what a process of an older version asks.
   */
  sendRefund: (refund: { refundId: string; again: boolean; at?: string }) => Promise<SentRefund>;
}

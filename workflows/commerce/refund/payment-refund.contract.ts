import { defineSignal } from '@temporalio/workflow';
import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';
import type { RefundDue } from '../order/order.contract';
import { summaryOf } from '../order/order-label.rules';
import { idOf, kindOf, PAYABLE_NOUNS, type PayableRef } from '../payable/payable.rules';
import type { OrderStatus } from '../order/order.states';
import type { PaymentRefundStatus } from './payment-refund.states';

export type PaymentRefundResult = 'COMPLETED' | 'CHARGED_BACK' | 'ABANDONED';

/** One amount on its way back: through the provider that brought it, or by a person from our bank account. */
export const paymentRefundProcess = defineProcess<RefundDue, PaymentRefundResult, 'refundId'>({
  type: 'paymentRefund',
  queue: 'interactive',
  area: 'commerce',
  id: ({ refundId }) => `payment-refund:${refundId}`,
  entityId: ({ refundId }) => refundId,
  resource: 'payment refund',
  orderId: ({ orderId }) => orderId,
  userId: ({ userId }) => userId,
  summary: ({ label, ...ref }) =>
    summaryOf(label, 'money back', `Money back for ${PAYABLE_NOUNS[kindOf(ref)]} ${idOf(ref)}`),
  // A refund that was given up is settled by a run of its own, and so is one that a returned chargeback had paid.
  repeatable: true,
  parks: true,
  ownMatter: 'your own refund',
  drives: {
    table: 'payment_refunds',
    amount: 'amount_minor',
    key: { refundId: 'id', orderId: 'order_id' },
    column: 'status',
    open: ['PROCESSING'],
    since: 'created_at',
    settledSince: ['completed_at', 'created_at'],
  },
});

/** The report that a person has sent the money from our bank account. */
export interface RefundSettlement {
  /** The stored note that names the administrator, with the reference of the transfer. */
  noteId: string;
  /** The amount sent, in major units, to be compared with the amount owed; absent: not compared. */
  amount?: number;
}

/**
 * Settles the refund: a person has sent the money. Refused: ALREADY_SETTLED, CANNOT_SETTLE (the provider may still send
 * it, or the buyer's bank took it back), VALIDATION_ERROR (the reference of another payment, or another amount).
 */
export const settleRefund = decision<null, [RefundSettlement]>('settleRefund', {
  ifClosed: 'ALREADY_SETTLED',
});

/** A chargeback of the payment was lost, or returned to us. */
export const chargebackDecided = defineSignal('chargebackDecided');

/** The provider has reported on the refund: it is looked up at once. */
export const refundReported = defineSignal('refundReported');

/** The state of a refund, with what was paid for and its user. */
export type PaymentRefundState = PayableRef & {
  status: PaymentRefundStatus;
  /** True if it was given up, but is to be looked up at its provider before a lost chargeback ends it. */
  awaitsLookUp: boolean;
  /** The request that it belongs to; null for money that goes back by itself. */
  refundRequestId: string | null;
  userId: string;
  /** Left out for a participation. */
  orderStatus?: OrderStatus;
};

/**
 * The sender of the money. PROVIDER_LATER: the provider has the refund pending, and sends it by itself; operators are told after
 * a while. PERSON: a person has to send it, and is reminded after a while. NOBODY: the refund has ended already, settled by a
 * person or by a chargeback that we lost.
 */
export type SentRefund =
  | { sentBy: 'PROVIDER'; providerRefundId: string }
  | { sentBy: 'PROVIDER_LATER'; overdueAfterMs: number }
  | { sentBy: 'PERSON'; remindAfterMs: number }
  | { sentBy: 'NOBODY' };

export interface PaymentRefundActivities {
  paymentRefundState: (refund: { refundId: string }) => Promise<PaymentRefundState>;
  /** Books the refund as sent by hand, audits it and queues the buyer's mail. A repeat changes nothing. */
  settleRefund: (refund: RefundSettlement & { refundId: string; at: string }) => Promise<void>;
  /** The code of the provider that brought the money and sends it back. */
  refundProvider: (refund: { refundId: string }) => Promise<string>;
  /**
   * Books the refund as completed and concludes its request, whose id it returns; null for money that goes back by itself.
   * A repeat changes nothing.
   */
  completeRefund: (refund: {
    refundId: string;
    providerRefundId: string;
    at: string;
  }) => Promise<string | null>;
  /**
   * Gives the refund up, if its provider has certainly not sent it; the part that no lost chargeback has paid stays owed. `kept`: the words
   * for an operator why it stays with its provider. MISSING: there is no such refund.
   */
  abandonRefund: (refund: { refundId: string; at: string }) => Promise<{ kept: string } | 'MISSING' | null>;
}

export interface PaymentRefundProviderActivities {
  /**
   * Sends the money back, once: a try whose outcome is unknown is looked up before it is repeated. `again`: it was tried
   * before, in a step that parked. The part that a lost chargeback has paid is not sent, and ends. A refund that was given
   * up is only looked up. `isNext`: a person, or a decided chargeback, begins the next attempt after one that was refused; left out: nobody.
   */
  sendRefund: (refund: {
    refundId: string;
    again: boolean;
    isNext?: boolean;
    at: string;
  }) => Promise<SentRefund>;
}

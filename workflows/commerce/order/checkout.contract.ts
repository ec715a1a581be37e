import { defineUpdate } from '@temporalio/workflow';
import { defineProcess } from '../../kit/process';
import type { OrderActivities, OrderState, RefundDue } from './order.contract';
import type { PaymentReport } from '../payment/payment-report.rules';
import type { PaymentMethod } from '../payment/payment.rules';

export interface CheckoutInput {
  orderId: string;
  userId: string;
  /** Where the order stood when the process continued as new; nobody else sets it. */
  standing?: OrderState;
}

export type CheckoutResult = 'PAID' | 'CANCELLED' | 'REFUSED' | 'ABANDONED';

/** One order from the buyer's wish until it is paid or given up. */
export const checkoutProcess = defineProcess<CheckoutInput, CheckoutResult, 'orderId'>({
  type: 'checkout',
  queue: 'interactive',
  area: 'commerce',
  id: ({ orderId }) => `checkout:${orderId}`,
  entityId: ({ orderId }) => orderId,
  userId: ({ userId }) => userId,
  summary: ({ orderId }) => `Checkout of order ${orderId}`,
  repeatable: true,
});

/** What a buyer wishes. Free text stays in the kept note: nothing that a person wrote travels through here. */
export interface PlaceOrder {
  attemptId: string;
  shippingAddressId: string;
  billingAddressId: string | null;
  shippingMethodId: string;
  paymentMethod: PaymentMethod;
  couponCodes: string[];
  usePartnerBalance: boolean;
  noteId: string | null;
}

export interface PaymentOffer {
  method: PaymentMethod;
  /** What is left to pay by this method. */
  amountMinor: number;
  currency: string;
  paymentUrl: string | null;
  /** The attempt whose page has yet to be asked for, where the provider is another company; left out otherwise. */
  pageToOpen?: { attemptId: string; provider: string };
  bankDetails: { bankName: string; accountNumber: string; bik: string; purpose: string } | null;
  /** Until when this attempt may be paid, which may be earlier than the order's own end; ISO 8601. */
  expiresAt: string;
}

export interface PlacedOrder {
  standing: OrderState;
  orderNumber: string;
  payment: PaymentOffer;
  summaryMinor: { subtotal: number; discount: number; shipping: number; tax: number; total: number };
  /** ISO 8601 date. */
  estimatedDelivery: string | null;
}

export interface PayOrder {
  attemptId: string;
  paymentMethod: PaymentMethod;
}

export interface OfferedPayment {
  standing: OrderState;
  payment: PaymentOffer;
}

/** Orders are imperative. Refusals: the error codes of POST /cart/checkout. */
export const placeOrder = defineUpdate<PlacedOrder, [PlaceOrder]>('placeOrder');
/** A new attempt to pay, as long as the order waits for payment. Refused: NOT_PAYABLE, INSUFFICIENT_BALANCE. */
export const payOrder = defineUpdate<OfferedPayment, [PayOrder]>('payOrder');

export interface CheckoutActivities extends OrderActivities {
  /** The whole order in one transaction: reserved, priced, written, cart emptied. Done before: the same answer. */
  placeOrder: (order: CheckoutInput & PlaceOrder & { at: string }) => Promise<PlacedOrder>;
  /**
   * A new attempt to pay, or the one that is still open by that method. Done before: the same answer. Refused:
   * NOT_PAYABLE, INSUFFICIENT_BALANCE.
   */
  openPayment: (order: { orderId: string } & PayOrder & { at: string }) => Promise<OfferedPayment>;
  /** The codes of the providers that may have money for an order; none where no attempt went through one. */
  providersToAsk: (order: { orderId: string }) => Promise<string[]>;
  /**
   * Applies what providers said of an order's attempts, in one transaction: money first, oldest first. `complete`: all
   * attempts were asked; otherwise only money is applied. Answers all refunds of the order that are due.
   */
  applyLookUps: (order: {
    orderId: string;
    found: FoundPayment[];
    complete: boolean;
    at: string;
  }) => Promise<RefundDue[]>;
  /** Gives an unpaid order up when its time has passed; an order paid meanwhile stays paid. */
  expireOrder: (order: { orderId: string; at: string }) => Promise<OrderState>;
}

/** What a provider, asked, says of one attempt. */
export interface FoundPayment {
  attemptId: string;
  report: PaymentReport;
}

export interface PaymentPageActivities {
  /**
   * Asks the provider for an attempt's page, once: the same attempt has the same page. Null: it is paid no longer, or by
   * no page. A provider's refusal is thrown, non-retryable.
   */
  openPage: (attempt: { attemptId: string }) => Promise<{ paymentUrl: string | null }>;
}

export interface PaymentLookupActivities {
  /**
   * Asks a provider what became of an order's attempts with it, whatever the order's status; pages of attempts whose
   * time is over are closed first. Where it fails for some attempts, the money that it told of is applied before the
   * failure is thrown.
   */
  lookUpPayments: (order: { orderId: string; provider: string; at: string }) => Promise<FoundPayment[]>;
}

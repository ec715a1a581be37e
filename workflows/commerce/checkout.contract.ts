import { defineUpdate } from '@temporalio/workflow';
import { defineProcess } from '../process';
import type { OrderActivities, OrderStanding, RefundDue } from './order.contract';
import type { PaymentMethod } from './payment.rules';

export interface CheckoutInput {
  orderId: string;
  userId: string;
}

export type CheckoutResult = 'PAID' | 'CANCELLED' | 'REFUSED' | 'ABANDONED';

/** One order from the buyer's wish until it is paid or given up. */
export const checkoutProcess = defineProcess<CheckoutInput, CheckoutResult>({
  type: 'checkout',
  queue: 'interactive',
  area: 'commerce',
  id: ({ orderId }) => `checkout:${orderId}`,
  entityId: ({ orderId }) => orderId,
  userId: ({ userId }) => userId,
  summary: ({ orderId }) => `Checkout of order ${orderId}`,
});

/** What a buyer wishes. Free text stays in the kept note: nothing that a person wrote travels through here. */
export interface OrderWish {
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
  /** ISO 8601. */
  expiresAt: string;
}

export interface PlacedOrder {
  standing: OrderStanding;
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
  standing: OrderStanding;
  payment: PaymentOffer;
}

export interface ConfirmTransfer {
  captureId: string;
  amountMinor: number;
  /** The bank's reference, as the administrator read it. */
  transactionId: string;
  /** The kept note that says which administrator, from where. */
  noteId: string;
}

/** Orders are imperative. Refusals: the error codes of POST /cart/checkout. */
export const placeOrder = defineUpdate<PlacedOrder, [OrderWish]>('placeOrder');
/** A new attempt to pay, as long as the order waits for payment. Refused: NOT_PAYABLE, INSUFFICIENT_BALANCE. */
export const payOrder = defineUpdate<OfferedPayment, [PayOrder]>('payOrder');
/** An administrator saw the money on the bank account. Refused: NOT_PAYABLE, AMOUNT_MISMATCH. */
export const confirmTransfer = defineUpdate<OrderStanding, [ConfirmTransfer]>('confirmTransfer');

export interface CheckoutActivities extends OrderActivities {
  /** The whole order in one transaction: reserved, priced, written, cart emptied. Done before: the same answer. */
  placeOrder: (order: CheckoutInput & OrderWish & { at: string }) => Promise<PlacedOrder>;
  openPayment: (order: { orderId: string } & PayOrder & { at: string }) => Promise<OfferedPayment>;
  confirmTransfer: (order: { orderId: string } & ConfirmTransfer & { at: string }) => Promise<OrderStanding>;
  /** The codes of the providers that may have money for an order that waits for payment; none where nothing waits. */
  providersToAsk: (order: { orderId: string }) => Promise<string[]>;
  /** Gives an unpaid order up when its time has passed; an order paid meanwhile stays paid. */
  expireOrder: (order: { orderId: string; at: string }) => Promise<OrderStanding>;
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
   * Asks a provider what became of the order's attempts with it and applies what it says, as if it had reported. Pages
   * of attempts whose time is over are closed first.
   */
  lookUpPayments: (order: { orderId: string; provider: string; at: string }) => Promise<RefundDue[]>;
}

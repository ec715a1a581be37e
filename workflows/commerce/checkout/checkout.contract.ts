import type { PaymentOffer } from '../payment/payment-page.contract';
import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';
import type { OrderActivities, OrderState } from '../order/order.contract';
import type { FoundMoneyActivities } from '../payment/found-money.contract';
import type { PaymentMethod } from '../payment/payment.rules';

export interface CheckoutInput {
  orderId: string;
  userId: string;
  /** The number that the order gets, drawn by the starter so that the process can be found by it. */
  orderNumber?: string;
  /** For the summary; the command decides. */
  paymentMethod?: PaymentMethod;
  /** The state of the order when the process continued as new; nothing else sets it. */
  standing?: OrderState | undefined;
  /** The order is there before its process, which lost the one before: there is no update that opens it. */
  exists?: true;
}

export type CheckoutResult = 'PAID' | 'CANCELLED' | 'REFUSED' | 'ABANDONED';

/** One order from the buyer's request until it is paid or cancelled. */
export const checkoutProcess = defineProcess<CheckoutInput, CheckoutResult, 'orderId'>({
  type: 'checkout',
  queue: 'interactive',
  area: 'commerce',
  id: ({ orderId }) => `checkout:${orderId}`,
  entityId: ({ orderId }) => orderId,
  resource: 'order',
  orderId: ({ orderId }) => orderId,
  userId: ({ userId }) => userId,
  summary: ({ orderId, orderNumber, paymentMethod }) =>
    orderNumber === undefined
      ? `Checkout of order ${orderId}`
      : [orderNumber, paymentMethod, 'checkout'].filter((part) => part !== undefined).join(' · '),
  repeatable: true,
  parks: true,
  drives: {
    table: 'orders',
    name: 'number',
    key: { orderId: 'id', userId: 'user_id' },
    column: 'status',
    open: ['PENDING_PAYMENT'],
    since: 'updated_at',
  },
});

/** The order that a buyer requests. Free text is in the request note and never in the process's history. */
export interface PlaceOrder {
  attemptId: string;
  shippingAddressId: string;
  billingAddressId: string | null;
  shippingMethodId: string;
  paymentMethod: PaymentMethod;
  couponCodes: string[];
  usePartnerBalance: boolean;
  noteId: string | null;
  /** The version of the cart's contents that the API accepted; no other cart is ordered. Null: it was empty. */
  cartVersion: string | null;
  /** ISO 8601; after it the order is not placed any more. Left out: whenever it can be. */
  notAfter?: string;
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
  /** ISO 8601; after it nothing is opened or paid any more. Left out: whenever it can be. */
  notAfter?: string;
}

export interface OfferedPayment {
  standing: OrderState;
  payment: PaymentOffer;
}

const CARRIED_OUT_WITHIN_MS = 10 * 60_000;

/**
 * The time (ISO 8601) until which a request for an order, a payment, an investment or a withdrawal, received at this
 * time, may take effect. Its caller was told within seconds to send it again; a step that could not run for longer, because
 * the database was away, must not take money or goods for somebody who has given up.
 */
export const carriedOutUntil = (receivedAt: Date): string =>
  new Date(receivedAt.getTime() + CARRIED_OUT_WITHIN_MS).toISOString();

/** Places the order. Refused with the codes of POST /cart/checkout. */
export const placeOrder = decision<PlacedOrder, [PlaceOrder]>('placeOrder', { ifClosed: 'CART_EMPTY' });
/**
 * Opens a new attempt while the order waits for payment. Refused: NOT_PAYABLE, INSUFFICIENT_BALANCE, VALIDATION_ERROR
 * (AMOUNT_NOT_PAYABLE, and PAYMENT_REFUSED after the attempt was opened and ended).
 */
export const payOrder = decision<OfferedPayment, [PayOrder]>('payOrder', { ifClosed: 'NOT_PAYABLE' });

export interface CheckoutActivities extends OrderActivities, FoundMoneyActivities {
  /** Prices, reserves and writes the order and empties the cart, in one transaction. A repetition returns the same. Fails after `notAfter`. */
  placeOrder: (order: CheckoutInput & PlaceOrder & { at: string }) => Promise<PlacedOrder>;
  /**
   * Opens a new attempt to pay, or returns the open attempt by that method. A repetition returns the same. Refused:
   * NOT_PAYABLE, INSUFFICIENT_BALANCE. Fails after `notAfter`.
   */
  openPayment: (order: { orderId: string } & PayOrder & { at: string }) => Promise<OfferedPayment>;
  /** Cancels an unpaid order after its payment window; an order paid in the meantime stays paid. */
  expireOrder: (order: { orderId: string; at: string }) => Promise<OrderState>;
}

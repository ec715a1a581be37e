import type { OrderStatus } from '../order/order.states';
import { DAY_MS } from '../../kit/values/durations.rules';
import { allThatIsLeft, claimFor, mostOf, saleLeft, type ReturnableOrder } from './refund-claim.rules';

interface Delivered {
  status: OrderStatus;
  deliveredAt: Date | null;
}

/**
 * The reason why a buyer cannot ask for money back; null when they can: from the shipment of the parcel until `windowDays`
 * after its delivery.
 */
export function whyNotRefundable(
  order: Delivered,
  at: Date,
  windowDays: number,
): 'CANNOT_REFUND' | 'REFUND_PERIOD_EXPIRED' | null {
  if (order.status === 'SHIPPED') return null;
  if (order.status !== 'DELIVERED' || order.deliveredAt === null) return 'CANNOT_REFUND';
  const deliveredMs = at.getTime() - order.deliveredAt.getTime();
  return deliveredMs <= windowDays * DAY_MS ? null : 'REFUND_PERIOD_EXPIRED';
}

/** True if a buyer may ask for money back. */
export const isRefundable = (order: Delivered, at: Date, windowDays: number): boolean =>
  whyNotRefundable(order, at, windowDays) === null;

/** An amount that a payment method and partner earnings paid, and the part of it that has gone back. */
export interface PaidOrder {
  totalMinor: number;
  partnerBalanceMinor: number;
  /** The amount that has gone back or is promised, of both kinds of money. */
  refundedMinor: number;
}

/** The money that a provider brought for an order, as far as it went back. */
export interface CapturedMoney {
  refundedMinor: number;
  /** Without the amount that refunds are counted for. */
  chargedBackMinor: number;
}

/** The amounts that can still go back of the two kinds of money that an order was paid with. */
export interface MoneyLeft {
  methodMinor: number;
  partnerMinor: number;
}

/**
 * Computes what can still go back of an order. The money of its payment method goes back first, partner earnings last; what
 * a bank took back is gone. `capture`: the money that a provider brought; null for an order paid from balances.
 */
export function moneyLeft(order: PaidOrder, capture: CapturedMoney | null): MoneyLeft {
  const broughtMinor = order.totalMinor - order.partnerBalanceMinor;
  const sentMinor = capture ? capture.refundedMinor : Math.min(order.refundedMinor, broughtMinor);
  return {
    methodMinor: Math.max(0, broughtMinor - sentMinor - (capture?.chargedBackMinor ?? 0)),
    partnerMinor: Math.max(0, order.partnerBalanceMinor - (order.refundedMinor - sentMinor)),
  };
}

/** True if an order has both goods that can still be given back and money for them. */
export function isAnythingLeft(order: ReturnableOrder & PaidOrder, capture: CapturedMoney | null): boolean {
  const { methodMinor, partnerMinor } = moneyLeft(order, capture);
  const claim = claimFor(order, allThatIsLeft(order));
  return methodMinor + partnerMinor > 0 && mostOf(claim, saleLeft(order)) > 0;
}

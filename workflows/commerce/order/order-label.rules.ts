import { amountInWords } from '../money.rules';

/** An order as people name it on the phone; for summaries, so it holds nothing personal. */
export const orderLabel = (order: {
  orderNumber: string;
  totalMinor: number;
  currency: string;
  paymentMethod: string;
}): string =>
  `${order.orderNumber} · ${amountInWords(order.totalMinor, order.currency)} · ${order.paymentMethod}`;

/** A sum of money of an order or a participation in the same manner. */
export const moneyLabel = (money: { number: string; amountMinor: number; currency: string }): string =>
  `${money.number} · ${amountInWords(money.amountMinor, money.currency)}`;

/** An order's number and total. */
export const totalLabel = (order: { orderNumber: string; totalMinor: number; currency: string }): string =>
  moneyLabel({ ...order, number: order.orderNumber, amountMinor: order.totalMinor });

/** A summary: what people say first, then what the process is; `fallback` where the starter did not know it. */
export const summaryOf = (label: string | undefined, what: string, fallback: string): string =>
  label === undefined ? fallback : `${label} · ${what}`;

import { v7 } from 'uuid';
import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import type { PaymentReport } from '../../../workflows/commerce/payment/payment-report.rules';
import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import { announce } from '../../administration/domain-event/domain-event.writes';
import { letter } from '../../administration/outbox/letter';
import { enqueueMail } from '../../administration/outbox/outbox.writes';
import { countSales } from '../../catalog/popularity/sales.transitions';
import { sellStock } from '../../catalog/stock/stock.transitions';
import { firstRow, type Tx } from '../../sql/query';
import { bookStrayCapture, bookSale } from '../order/order-ledger.transitions';
import { cancelUnpaid } from '../order/cancel.transitions';
import { captureOf } from './capture.reads';
import { recordCapture, scheduleRefund, type Capture, type RefundReason } from './capture.transitions';
import { setPaymentMethod } from './order-payment.transitions';
import { moveOrder, orderGoods, setPaymentStatus, type LockedOrder } from '../order/order.transitions';
import {
  attemptsOf,
  closeAttempts,
  mayHoldMoney,
  moveAttempt,
  type PaymentAttempt,
} from './payment-attempt.transitions';

export type ReportEffect =
  /** Nothing changed: it came again, or too late. */
  | { outcome: 'WITHOUT_EFFECT' }
  /** The money paid its order, or the attempt moved on. */
  | { outcome: 'APPLIED' }
  /** The money paid nothing: it is booked and goes back by this refund. */
  | { outcome: 'RETURNED'; refundId: string }
  /** Another payment is recorded under the same id; a person has to look at it. */
  | { outcome: 'IMPOSSIBLE'; why: string };

/**
 * Everything that being paid by this method means, for an order that waits for payment and is locked. Goods are locked
 * here; buyers' balances are taken after it.
 */
export async function settleOrder(
  tx: Tx,
  order: LockedOrder,
  { method, by, at }: { method: PaymentMethod; by: string | null; at: string },
): Promise<void> {
  await moveOrder(tx, order, { to: 'PAID', paymentStatus: 'PAID', note: null, by, at });
  if (method !== order.paymentMethod) await setPaymentMethod(tx, order.id, method);
  const goods = await orderGoods(tx, order.id);
  await sellStock(tx, goods.stock, `order:${order.id}`, at);
  await countSales(tx, goods.units, at, 1);
  await bookSale(tx, order, at);
  const { id: orderId, currency } = order;
  const goodsMinor = order.subtotalMinor - order.discountMinor;
  await announce(tx, { type: 'order.paid', orderId, goodsMinor, currency }, at);
  await tellBuyer(tx, order);
}

async function tellBuyer(tx: Tx, order: LockedOrder): Promise<void> {
  const buyer = await firstRow<{ email: string; firstName: string }>(
    tx,
    `SELECT email, first_name FROM users WHERE id = $1 AND erased_at IS NULL`,
    [order.userId],
  );
  if (!buyer) return;
  await enqueueMail(tx, {
    reference: `order:${order.id}:paid`,
    to: buyer.email,
    ...letter({
      subject: `Your order ${order.number} is paid`,
      greeting: `Hello ${buyer.firstName},`,
      paragraphs: [`Thank you. Your order ${order.number} is paid and is being made ready.`],
    }),
  });
}

/** When a report is applied, and whether all attempts of its order have just been asked for money. */
export interface ReportOccasion {
  at: string;
  allAsked: boolean;
}

/**
 * Applies a provider's report to the attempt it speaks of. The order is locked. Money is taken whenever it is what the
 * attempt asks for and the order still waits for it; any other money is written down and scheduled to go back. The end
 * of its last attempt gives an order up only where no other attempt may hold money that is not known yet.
 * Chosen: of a report that tells of no money, the amount is not looked at.
 */
export function applyReport(
  tx: Tx,
  order: LockedOrder,
  attempt: PaymentAttempt,
  report: PaymentReport,
  occasion: ReportOccasion,
): Promise<ReportEffect> {
  if (report.status === 'PAID') return takeMoney(tx, order, attempt, report, occasion);
  return endAttempt(tx, order, attempt, report.status, occasion);
}

async function endAttempt(
  tx: Tx,
  order: LockedOrder,
  attempt: PaymentAttempt,
  status: 'DECLINED' | 'EXPIRED',
  { at, allAsked }: ReportOccasion,
): Promise<ReportEffect> {
  if (!(await moveAttempt(tx, attempt, status, at))) return { outcome: 'WITHOUT_EFFECT' };
  const [latest, ...earlier] = await attemptsOf(tx, order.id);
  if (order.status !== 'PENDING_PAYMENT' || latest?.id !== attempt.id) return { outcome: 'APPLIED' };
  // An earlier attempt, such as a transfer, may have been given longer: then the order goes on waiting for that.
  const isLast = status === 'EXPIRED' && attempt.expiresAt >= order.payBy;
  // Providers report a page that we close ourselves as expired: that may come before the answers of the others.
  if (isLast && (allAsked || !earlier.some(mayHoldMoney)))
    await cancelUnpaid(tx, order, { note: 'payment expired', by: null, at });
  else await setPaymentStatus(tx, order.id, 'FAILED', at);
  return { outcome: 'APPLIED' };
}

async function takeMoney(
  tx: Tx,
  order: LockedOrder,
  attempt: PaymentAttempt,
  { paymentId, amountMinor, currency }: PaymentReport,
  occasion: ReportOccasion,
): Promise<ReportEffect> {
  const { at } = occasion;
  const { orderId, provider } = attempt;
  const fits = amountMinor === attempt.amountMinor && currency === attempt.currency;
  const applied = fits && order.status === 'PENDING_PAYMENT';
  const money = { orderId, provider, providerPaymentId: paymentId, amountMinor, currency };
  const capture = { id: v7(), attemptId: attempt.id, ...money, applied };
  if (!(await recordCapture(tx, capture, at))) return recordedBefore(tx, capture);
  if (applied) {
    await moveAttempt(tx, attempt, 'PAID', at);
    await closeAttempts(tx, orderId, 'CANCELLED', at);
    await settleOrder(tx, order, { method: attempt.method, by: null, at });
    return { outcome: 'APPLIED' };
  }
  const refundId = await returnStrayCapture(tx, order, capture, at);
  // Its page is used up: the buyer needs another attempt, and is told so.
  if (!fits) await endAttempt(tx, order, attempt, 'DECLINED', occasion);
  return { outcome: 'RETURNED', refundId };
}

/** What is made of a payment that is recorded already: nothing, unless it was recorded as another. */
async function recordedBefore(tx: Tx, reported: Capture): Promise<ReportEffect> {
  const recorded = await captureOf(tx, reported.provider, reported.providerPaymentId);
  const [before, now] = [recorded && inWords(recorded), inWords(reported)];
  if (before === now) return { outcome: 'WITHOUT_EFFECT' };
  const why = `Payment ${reported.providerPaymentId} is recorded as ${before ?? 'nothing'}, and is now reported as ${now}.`;
  return { outcome: 'IMPOSSIBLE', why };
}

const inWords = ({
  amountMinor,
  currency,
  orderId,
}: Pick<Capture, 'amountMinor' | 'currency' | 'orderId'>): string =>
  `${amountMinor} ${currency} in minor units for order ${orderId}`;

/** Money that is recorded and that no order wants is booked as owed, and its return scheduled; answers the refund. */
export async function returnStrayCapture(
  tx: Tx,
  order: LockedOrder,
  capture: Capture,
  at: string,
): Promise<string> {
  await bookStrayCapture(tx, capture, at);
  return scheduleRefund(tx, capture, STRAY_REASON[order.status] ?? 'DUPLICATE_PAYMENT', at);
}

const STRAY_REASON: Partial<Record<OrderStatus, RefundReason>> = {
  CANCELLED: 'LATE_PAYMENT',
  PENDING_PAYMENT: 'AMOUNT_MISMATCH',
};

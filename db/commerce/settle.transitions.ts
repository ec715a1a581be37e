import { v7 } from 'uuid';
import type { OrderStatus } from '../../workflows/commerce/order.states';
import type { PaymentReport } from '../../workflows/commerce/payment-report.rules';
import type { PaymentMethod } from '../../workflows/commerce/payment.rules';
import { announce } from '../administration/domain-event.writes';
import { letter } from '../administration/letter';
import { enqueueMail } from '../administration/outbox.writes';
import { countSales } from '../catalog/sales.transitions';
import { sellStock } from '../catalog/stock.transitions';
import { firstRow, type Tx } from '../sql';
import { bookStrayCapture, bookSale } from './order-ledger.transitions';
import { cancelUnpaid } from './cancel.transitions';
import { recordCapture, scheduleRefund, type Capture, type RefundReason } from './capture.transitions';
import { setPaymentMethod } from './order-payment.transitions';
import { moveOrder, orderGoods, setPaymentStatus, type LockedOrder } from './order.transitions';
import {
  attemptsOf,
  closeAttempts,
  mayHoldMoney,
  moveAttempt,
  type PaymentAttempt,
} from './payment-attempt.transitions';

export interface ReportEffect {
  /** Whether anything changed; a repeat or an older report changes nothing. */
  changed: boolean;
  refundsDue: { refundId: string; orderId: string }[];
}

const NOTHING: ReportEffect = { changed: false, refundsDue: [] };

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
    `SELECT email, first_name AS "firstName" FROM users WHERE id = $1 AND erased_at IS NULL`,
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
 * Applies a provider's report to the attempt it speaks of. The order is locked. Money is taken whenever the order
 * still waits for it; money for an order that does not is written down and scheduled to go back. The end of its last
 * attempt gives an order up only where no other attempt may hold money that is not known yet.
 */
export async function applyReport(
  tx: Tx,
  order: LockedOrder,
  attempt: PaymentAttempt,
  report: PaymentReport,
  { at, allAsked }: ReportOccasion,
): Promise<ReportEffect> {
  if (report.status === 'PAID') return takeMoney(tx, order, attempt, report.paymentId, at);
  if (!(await moveAttempt(tx, attempt, report.status, at))) return NOTHING;
  const [latest, ...earlier] = await attemptsOf(tx, order.id);
  if (order.status !== 'PENDING_PAYMENT' || latest?.id !== attempt.id) return { ...NOTHING, changed: true };
  // An earlier attempt, such as a transfer, may have been given longer: then the order goes on waiting for that.
  const isLast = report.status === 'EXPIRED' && attempt.expiresAt >= order.payBy;
  // Providers report a page that we close ourselves as expired: that may come before the answers of the others.
  if (isLast && (allAsked || !earlier.some(mayHoldMoney)))
    await cancelUnpaid(tx, order, { note: 'payment expired', by: null, at });
  else await setPaymentStatus(tx, order.id, 'FAILED', at);
  return { ...NOTHING, changed: true };
}

async function takeMoney(
  tx: Tx,
  order: LockedOrder,
  attempt: PaymentAttempt,
  paymentId: string,
  at: string,
): Promise<ReportEffect> {
  const applied = order.status === 'PENDING_PAYMENT';
  const { orderId, provider, amountMinor, currency } = attempt;
  const capture = {
    id: v7(),
    attemptId: attempt.id,
    orderId,
    provider,
    providerPaymentId: paymentId,
    amountMinor,
    currency,
    applied,
  };
  if (!(await recordCapture(tx, capture, at))) return NOTHING;
  if (applied) {
    await moveAttempt(tx, attempt, 'PAID', at);
    await closeAttempts(tx, orderId, 'CANCELLED', at);
    await settleOrder(tx, order, { method: attempt.method, by: null, at });
    return { changed: true, refundsDue: [] };
  }
  const refundId = await returnStrayCapture(tx, order, capture, at);
  return { changed: true, refundsDue: [{ refundId, orderId }] };
}

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

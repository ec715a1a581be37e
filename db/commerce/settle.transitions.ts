import { v7 } from 'uuid';
import type { PaymentReport } from '../../workflows/commerce/payment-report.rules';
import { announce } from '../administration/domain-event.writes';
import { letter } from '../administration/letter';
import { enqueueMail } from '../administration/outbox.writes';
import { countSales } from '../catalog/sales.transitions';
import { sellStock } from '../catalog/stock.transitions';
import { firstRow, type Tx } from '../sql';
import { bookStrayCapture, bookSale } from './order-ledger.transitions';
import { recordCapture, scheduleRefund } from './capture.transitions';
import { moveOrder, orderGoods, setPaymentStatus, type LockedOrder } from './order.transitions';
import { attemptsOf, closeAttempts, moveAttempt, type PaymentAttempt } from './payment-attempt.transitions';
import { cancelUnpaid } from './cancel.transitions';

export interface ReportEffect {
  /** Whether anything changed; a repeat or an older report changes nothing. */
  changed: boolean;
  refundsDue: { refundId: string; orderId: string }[];
}

const NOTHING: ReportEffect = { changed: false, refundsDue: [] };

/** Everything that being paid means, for an order that waits for payment and is locked. */
export async function settleOrder(tx: Tx, order: LockedOrder, by: string | null, at: string): Promise<void> {
  await moveOrder(tx, order, { to: 'PAID', paymentStatus: 'PAID', note: null, by, at });
  await bookSale(tx, order, at);
  const goods = await orderGoods(tx, order.id);
  await sellStock(tx, goods.stock, `order:${order.id}`, at);
  await countSales(tx, goods.units, at, 1);
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

/**
 * Applies a provider's report to the attempt it speaks of. The order is locked. Money is taken whenever the order
 * still waits for it; money for an order that does not is written down and scheduled to go back.
 */
export async function applyReport(
  tx: Tx,
  order: LockedOrder,
  attempt: PaymentAttempt,
  report: PaymentReport,
  at: string,
): Promise<ReportEffect> {
  if (report.status === 'PAID') return takeMoney(tx, order, attempt, report.paymentId, at);
  if (!(await moveAttempt(tx, attempt, report.status, at))) return NOTHING;
  const [latest] = await attemptsOf(tx, order.id);
  if (order.status !== 'PENDING_PAYMENT' || latest?.id !== attempt.id) return { ...NOTHING, changed: true };
  if (report.status === 'EXPIRED') await cancelUnpaid(tx, order, { note: 'payment expired', by: null, at });
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
    await settleOrder(tx, order, null, at);
    return { changed: true, refundsDue: [] };
  }
  await bookStrayCapture(tx, capture, at);
  const reason = order.status === 'CANCELLED' ? 'LATE_PAYMENT' : 'DUPLICATE_PAYMENT';
  const refundId = await scheduleRefund(tx, capture, reason, at);
  return { changed: true, refundsDue: [{ refundId, orderId }] };
}

/** An administrator saw a transfer on the bank account; the order waits for payment and is locked. */
export async function applyTransfer(
  tx: Tx,
  order: LockedOrder,
  attempt: PaymentAttempt,
  transfer: { captureId: string; transactionId: string; by: string; at: string },
): Promise<boolean> {
  const { captureId: id, transactionId: providerPaymentId, by, at } = transfer;
  const { orderId, amountMinor, currency } = attempt;
  const capture = {
    id,
    attemptId: attempt.id,
    orderId,
    provider: 'bank',
    providerPaymentId,
    amountMinor,
    currency,
  };
  if (!(await recordCapture(tx, { ...capture, applied: true }, at))) return false;
  await moveAttempt(tx, attempt, 'PAID', at);
  await settleOrder(tx, order, by, at);
  return true;
}

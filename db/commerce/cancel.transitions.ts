import { announce } from '../administration/domain-event.writes';
import { countSales } from '../catalog/sales.transitions';
import { releaseStock, restock } from '../catalog/stock.transitions';
import type { Tx } from '../sql';
import { appliedCapture, countRefunded, scheduleRefund } from './capture.transitions';
import { returnCoupons } from './coupon.transitions';
import { releaseBalance, repayBalance, unbookSale } from './order-ledger.transitions';
import { moveOrder, orderGoods, type LockedOrder } from './order.transitions';
import { closeAttempts } from './payment-attempt.transitions';

/** Why, by whom and when an order is cancelled. */
export interface Cancellation {
  note: string | null;
  by: string | null;
  /** The note by which it was asked for, if it was. */
  noteId?: string;
  at: string;
}

/** Gives an unpaid order up: stock, coupons and held balance go back where they came from. The order is locked. */
export async function cancelUnpaid(tx: Tx, order: LockedOrder, cancellation: Cancellation): Promise<void> {
  const { at, by } = cancellation;
  await moveOrder(tx, order, { to: 'CANCELLED', paymentStatus: 'FAILED', ...cancellation });
  // Coupons before stock, as a checkout takes them: neither then waits for what the other holds.
  await returnCoupons(tx, order.id, order.userId, at);
  const goods = await orderGoods(tx, order.id);
  await releaseStock(tx, goods.stock, `order:${order.id}`, at);
  await closeAttempts(tx, order.id, by === null ? 'EXPIRED' : 'CANCELLED', at);
  await releaseBalance(tx, order, 'partner_available', order.partnerBalanceMinor, at);
}

/**
 * Cancels a paid order that has not left, with all its money on the way back: what came from the buyer's own
 * balances at once, what a provider brought through that provider. The order is locked.
 */
export async function cancelPaid(
  tx: Tx,
  order: LockedOrder,
  cancellation: Cancellation,
): Promise<{ refundId: string | null }> {
  const { at } = cancellation;
  const capture = await appliedCapture(tx, order.id);
  await moveOrder(tx, order, {
    to: 'CANCELLED',
    paymentStatus: capture && capture.leftMinor > 0 ? 'PAID' : 'REFUNDED',
    ...cancellation,
  });
  await countRefunded(tx, order.id, order.totalMinor, at);
  const goods = await orderGoods(tx, order.id);
  await restock(tx, goods.stock, `order:${order.id}`, at);
  await countSales(tx, goods.units, order.paidAt ?? at, -1);
  await unbookSale(tx, order, at);
  const { id: orderId, currency } = order;
  const goodsMinor = order.subtotalMinor - order.discountMinor;
  await announce(
    tx,
    { type: 'refund.completed', orderId, refundRequestId: null, goodsMinor, currency, full: true },
    at,
  );
  await repayBalance(tx, order, 'partner_available', order.partnerBalanceMinor, at);
  const rest = order.totalMinor - order.partnerBalanceMinor;
  if (!capture) {
    await repayBalance(tx, order, 'wallet', rest, at);
    return { refundId: null };
  }
  // What the buyer's bank took back by itself, the buyer has already.
  if (capture.leftMinor === 0) return { refundId: null };
  const due = { ...capture, amountMinor: capture.leftMinor, orderId };
  return { refundId: await scheduleRefund(tx, due, 'CANCELLATION', at) };
}

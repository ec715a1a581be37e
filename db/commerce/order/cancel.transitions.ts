import { moneyLeft } from '../../../workflows/commerce/refund/refund.rules';
import { countSales } from '../../catalog/popularity/sales.transitions';
import { releaseStock, restock } from '../../catalog/stock/stock.transitions';
import type { Tx } from '../../sql/query';
import { appliedCapture, countRefunded } from '../payment/capture.transitions';
import { isMoneyOwed, isMoneyReturned, scheduleRefund } from '../refund/sending/schedule-refund.transitions';
import { returnCoupons } from '../coupon/coupon.transitions';
import { bookOwedByChargeback, releaseBalance, repayBalance, unbookSale } from './order-ledger.transitions';
import { countUnitsRefunded, countUnitsRestocked } from './order-goods.transitions';
import { moveOrder, type LockedOrder } from './order.transitions';
import { closeAttempts } from '../payment/payment-attempt.transitions';
import { announceCancellation } from '../../administration/domain-event/refund-event.writes';
import { approvedOf } from '../refund/refund-request.reads';

/** The reason, author and time of a cancellation. */
export interface Cancellation {
  note: string | null;
  by: string | null;
  /** The note of the request, if there was one. */
  noteId?: string;
  at: string;
}

/** Cancels an unpaid order and returns its stock, coupons and held balance. The order is locked. */
export async function cancelUnpaid(tx: Tx, order: LockedOrder, cancellation: Cancellation): Promise<void> {
  const { at, by } = cancellation;
  await moveOrder(tx, order, {
    to: 'CANCELLED',
    paymentStatus: (await isMoneyReturned(tx, { orderId: order.id })) ? 'REFUNDED' : 'FAILED',
    ...cancellation,
  });
  // Coupons before stock, the lock order of a checkout, so that the two cannot deadlock.
  await returnCoupons(tx, order.id, order.userId, at);
  await releaseStock(tx, await countUnitsRestocked(tx, order.id, null), { orderId: order.id }, at);
  await closeAttempts(tx, { orderId: order.id }, by === null ? 'EXPIRED' : 'CANCELLED', at);
  await releaseBalance(tx, order, 'partner_available', order.partnerBalanceMinor, at);
}

/**
 * Cancels a paid order that has not been shipped, and returns all money that is not refunded yet: to the buyer's balances
 * at once, to a provider by the refund whose id is answered. The order is locked.
 */
export async function cancelPaid(
  tx: Tx,
  order: LockedOrder,
  cancellation: Cancellation,
): Promise<{ refundId: string | null; refundedMinor: number }> {
  const { at } = cancellation;
  const capture = await appliedCapture(tx, order.id);
  const money = moneyLeft(order, capture);
  const toSendMinor = capture ? money.methodMinor : 0;
  const isPaid = toSendMinor > 0 || (await isMoneyOwed(tx, order.id));
  await moveOrder(tx, order, {
    to: 'CANCELLED',
    paymentStatus: isPaid ? 'PAID' : 'REFUNDED',
    ...cancellation,
  });
  const refundedMinor = await reverseSale(tx, order, at);
  const { id: orderId, currency } = order;
  await repayBalance(tx, order, 'partner_available', money.partnerMinor, at);
  if (!capture) await repayBalance(tx, order, 'wallet', money.methodMinor, at);
  // Money that the bank took back by a chargeback has reached the buyer already.
  else await bookOwedByChargeback(tx, order, refundedMinor - money.partnerMinor - toSendMinor, at);
  if (!capture || toSendMinor === 0) {
    await announceCancellation(tx, order.id, at);
    return { refundId: null, refundedMinor };
  }
  const due = { id: capture.id, amountMinor: toSendMinor, currency, orderId };
  return { refundId: await scheduleRefund(tx, due, 'CANCELLATION', at), refundedMinor };
}

/** Reverses the sale of an order with its goods; returns the part of its price that was not refunded before. */
async function reverseSale(tx: Tx, order: LockedOrder, at: string): Promise<number> {
  const { id: orderId, totalMinor, refundedMinor } = order;
  await countRefunded(tx, orderId, totalMinor - refundedMinor, at);
  // Refunds may have taken units back before, and they may be on sale again.
  await restock(tx, await countUnitsRestocked(tx, orderId, null), { orderId }, at);
  await countSales(tx, await countUnitsRefunded(tx, orderId, null), order.paidAt ?? at, -1);
  const back = await approvedOf(tx, orderId);
  const left = {
    goodsMinor: order.subtotalMinor - order.discountMinor - back.goodsMinor,
    goodsTaxMinor: order.taxMinor - back.goodsTaxMinor - back.shippingTaxMinor,
    shippingMinor: order.shippingMinor - back.shippingMinor,
    shippingTaxMinor: 0, // The ledger has one account for both taxes.
  };
  await unbookSale(tx, order, left, at);
  return totalMinor - refundedMinor;
}

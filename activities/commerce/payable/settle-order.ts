import { announce } from '../../../db/administration/domain-event/domain-event.writes';
import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../db/administration/outbox/outbox.writes';
import { countSales } from '../../../db/catalog/popularity/sales.transitions';
import { sellStock } from '../../../db/catalog/stock/stock.transitions';
import { orderedMail } from '../../../db/commerce/order/order-letter.reads';
import { bookSale } from '../../../db/commerce/order/order-ledger.transitions';
import { orderGoods } from '../../../db/commerce/order/order-goods.transitions';
import { markFirstOrder, moveOrder, type LockedOrder } from '../../../db/commerce/order/order.transitions';
import { setPaymentMethod } from '../../../db/commerce/order/order-payment.transitions';
import type { Tx } from '../../../db/sql/query';
import { withdrawPlacedMail } from '../order/queue-placed-mail';
import { orderPaidLetter } from '../../../workflows/commerce/payment/payment.letters';
import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';

/**
 * Carries out all that a payment by this method means, in the caller's transaction, for a locked order that waits for
 * payment. Goods are locked here; buyers' balances are taken after it.
 */
export async function settleOrder(
  tx: Tx,
  order: LockedOrder,
  { method, by, at }: { method: PaymentMethod; by: string | null; at: string },
): Promise<void> {
  await moveOrder(tx, order, { to: 'PAID', paymentStatus: 'PAID', note: null, by, at });
  if (method !== order.paymentMethod) await setPaymentMethod(tx, order.id, method);
  const goods = await orderGoods(tx, order.id);
  await sellStock(tx, goods.stock, { orderId: order.id }, at);
  await countSales(tx, goods.units, at, 1);
  await bookSale(tx, order, at);
  const { id: orderId, currency } = order;
  const goodsMinor = order.subtotalMinor - order.discountMinor;
  const isFirst = await markFirstOrder(tx, order);
  await announce(tx, { type: 'order.paid', orderId, goodsMinor, currency, isFirst }, at);
  await withdrawPlacedMail(tx, orderId);
  await queueOrderPaidMail(tx, orderId);
}

async function queueOrderPaidMail(tx: Tx, orderId: string): Promise<void> {
  const order = await orderedMail(tx, orderId);
  if (!order) return;
  await enqueueQuietMail(tx, {
    reference: `order:${orderId}:paid`,
    to: order.email,
    ...letter(orderPaidLetter(order)),
  });
}

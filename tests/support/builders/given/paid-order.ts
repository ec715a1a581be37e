import { v7 } from 'uuid';
import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import { markFirstOrder } from '../../../../db/commerce/order/order.transitions';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { insert, nextNumber } from '../make/insert';

interface PaidOrder {
  shippingMethodId: string;
  at: string;
  userId: string;
  method: string;
  subtotal: number;
  discount: number;
  shipping: number;
  tax: number;
}

/** Writes a paid order, announced as a payment announces it. */
export const payOrder = (db: Db, order: PaidOrder): Promise<void> =>
  inTransaction(db, async (tx) => {
    const { at, subtotal, discount, shipping, tax } = order;
    const orderId = v7();
    await insert(tx, 'orders', {
      ...{ id: orderId, number: `RANDOM-${nextNumber()}`, user_id: order.userId, status: 'PAID' },
      ...{ payment_status: 'PAID', currency: 'USD', subtotal_minor: subtotal, discount_minor: discount },
      ...{ shipping_minor: shipping, tax_minor: tax, total_minor: subtotal - discount + shipping + tax },
      ...{
        payment_method: order.method,
        payment_expires_at: at,
        paid_at: at,
        created_at: at,
        updated_at: at,
      },
      ...{
        shipping_method_id: order.shippingMethodId,
        shipping_method_name: 'Parcel',
        shipping_address: '{}',
      },
    });
    const isFirst = await markFirstOrder(tx, { id: orderId, userId: order.userId });
    const goodsMinor = subtotal - discount;
    await announce(tx, { type: 'order.paid', orderId, goodsMinor, currency: 'USD', isFirst }, at);
  });

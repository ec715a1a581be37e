import { z } from 'zod';
import { orderDetail } from '../../db/commerce/order/order.reads';
import { endpoint } from '../http/endpoint';
import { orderReference } from '../http/request/ids/references';
import { perMinute } from '../http/limits/limits';
import { OrderDetail, orderDetailView } from './order-detail.view';
import { noSuchOrder } from './own-order';

export const showOrder = endpoint({
  id: 'getOrder',
  returns: 'The order',
  method: 'get',
  path: '/orders/:id',
  summary: 'Show one of your orders',
  description: 'Lines, prices, addresses, payment, refunds and the history of one order.',
  tag: 'Orders',
  auth: 'user',
  limit: perMinute(100),

  params: z.object({ id: orderReference() }),
  success: 200,
  data: OrderDetail,
  errors: { ORDER_NOT_FOUND: 404 },

  async handle({ params: { id } }, { db, caller, policy }) {
    const order = await orderDetail(db, caller.id, id);
    if (!order) throw noSuchOrder();
    return orderDetailView(order, new Date(), policy);
  },
});

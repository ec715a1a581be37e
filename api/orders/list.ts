import { z } from 'zod';
import { ordersOf } from '../../db/commerce/order/order.reads';
import { endpoint } from '../http/endpoint';
import { isoDate, periodEnd } from '../http/request/fields';
import { perMinute } from '../http/limits/limits';
import { paging, windowOf } from '../http/answer/paging';
import { OrderStatusField, OrderSummary, orderSummaryView } from './order.view';

export const listOrders = endpoint({
  id: 'listOrders',
  returns: 'One page of orders',
  method: 'get',
  path: '/orders',
  summary: 'List your orders',
  description: 'Newest first. A date without a time means its start in UTC.',
  tag: 'Orders',
  auth: 'user',
  limit: perMinute(100),

  query: z.object({
    ...paging(50),
    status: OrderStatusField.optional(),
    dateFrom: isoDate().optional(),
    dateTo: periodEnd().optional(),
  }),
  success: 200,
  paginated: true,
  data: z.object({ orders: z.array(OrderSummary).describe('Orders, newest first.') }),
  errors: {},

  async handle({ query: { page, pageSize, status, dateFrom, dateTo } }, { db, caller, reply }) {
    const filter = {
      status,
      from: dateFrom === undefined ? undefined : new Date(dateFrom),
      to: dateTo === undefined ? undefined : new Date(dateTo),
    };
    const found = await ordersOf(db, caller.id, filter, windowOf({ page, pageSize }));
    reply.page({ total: found.total, page, pageSize });
    return { orders: found.orders.map(orderSummaryView) };
  },
});

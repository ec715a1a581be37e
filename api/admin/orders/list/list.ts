import { z } from 'zod';
import {
  adminOrders,
  type AdminOrderRow,
} from '../../../../db/commerce/order-administration/order-list.reads';
import { PLATFORM_CURRENCY, toMajor } from '../../../../workflows/commerce/money.rules';
import { endpoint } from '../../../http/endpoint';
import { perMinute } from '../../../http/limits/limits';
import { paging, SortOrderField, windowOf } from '../../../http/answer/paging';
import { OrderStatusField, PaymentStatusField } from '../../../orders/order.view';
import { orderFilterOf, orderQuery } from './order-query';
import { Person } from '../../person.view';

const AdminOrder = z
  .object({
    id: z.uuid(),
    orderNumber: z.string(),
    user: Person.describe('The user who ordered.'),
    status: OrderStatusField,
    paymentStatus: PaymentStatusField,
    itemCount: z.int().describe('The number of lines.'),
    total: z.number().describe('What is to be paid: goods less discount, shipping and tax.'),
    currency: z.string(),
    shippingMethod: z.string().describe('The shipping method that was chosen.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'AdminOrder' });

// Chosen: a PAID order, which is about to be PROCESSING, counts as neither pending nor processing.
const Summary = z
  .object({
    totalOrders: z.int().describe('Orders of all statuses.'),
    totalRevenue: z.number().meta({ description: 'Payments without refunds.' }),
    pendingPayment: z.int().describe('Orders that wait for their payment.'),
    processing: z.int().describe('Orders that are being packed.'),
    shipped: z.int().describe('Orders on their way.'),
  })
  .meta({ id: 'AdminOrderSummary', description: 'Of all orders that fit the filter.' });

export const listAllOrders = endpoint({
  id: 'listAllOrders',
  returns: 'One page of orders, and how many are at each stage',
  method: 'get',
  path: '/admin/orders',
  summary: 'List the orders of all users',
  description: 'Newest first unless sorted. `dateFrom` and `dateTo` are of the order, both inclusive.',
  tag: 'Administration: orders',
  auth: 'admin',
  limit: perMinute(200),

  query: z.object({
    ...paging(100),
    ...orderQuery,
    sortBy: z.enum(['createdAt', 'updatedAt', 'total']).default('createdAt'),
    sortOrder: SortOrderField.default('desc'),
  }),
  success: 200,
  paginated: true,
  data: z.object({
    orders: z.array(AdminOrder).describe('Orders, newest first.'),
    summary: Summary.describe('The sums of the orders that fit the filter.'),
  }),
  errors: {},

  async handle({ query }, { db, reply }) {
    const { page, pageSize, sortBy, sortOrder } = query;
    const { totals, orders } = await adminOrders(db, orderFilterOf(query), {
      sortBy,
      sortOrder,
      ...windowOf({ page, pageSize }),
    });
    const { revenueMinor, ...counts } = totals;
    reply.page({ total: totals.totalOrders, page, pageSize });
    return {
      orders: orders.map(showOrder),
      summary: { ...counts, totalRevenue: toMajor(revenueMinor, PLATFORM_CURRENCY) },
    };
  },
});

const showOrder = (order: AdminOrderRow): z.input<typeof AdminOrder> => ({
  id: order.id,
  orderNumber: order.orderNumber,
  user: { id: order.userId, email: order.email, name: order.name },
  status: order.status,
  paymentStatus: order.paymentStatus,
  itemCount: order.itemCount,
  total: toMajor(order.totalMinor, order.currency),
  currency: order.currency,
  shippingMethod: order.shippingMethod,
  createdAt: order.createdAt.toISOString(),
  updatedAt: order.updatedAt.toISOString(),
});

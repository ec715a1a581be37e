import { z } from 'zod';
import type { OrderHead } from '../../db/commerce/order/order.reads';
import { toMajor } from '../../workflows/commerce/money.rules';
import { ORDER_PAYMENT_STATUSES, orderStates } from '../../workflows/commerce/order/order.states';

export const OrderStatusField = z
  .enum(orderStates.names)
  .meta({ id: 'OrderStatus', description: 'The progress of an order. REFUNDED: refunded in full.' });
export const PaymentStatusField = z
  .enum(ORDER_PAYMENT_STATUSES)
  .meta({ id: 'PaymentStatus', description: 'The state of the payment of an order.' });

/** The fields that lists and details of orders begin with. */
export const orderHead = {
  id: z.uuid(),
  orderNumber: z.string(),
  status: OrderStatusField,
  paymentStatus: PaymentStatusField,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

export const OrderSummary = z
  .object({
    ...orderHead,
    itemCount: z.number().int().describe('The number of lines.'),
    total: z.number().describe('What is to be paid: goods less discount, shipping and tax.'),
    currency: z.string(),
  })
  .meta({ id: 'OrderSummary' });

export const orderHeadView = (order: OrderHead) => ({
  id: order.id,
  orderNumber: order.orderNumber,
  status: order.status,
  paymentStatus: order.paymentStatus,
  createdAt: order.createdAt.toISOString(),
  updatedAt: order.updatedAt.toISOString(),
});

export const orderSummaryView = (order: OrderHead & { itemCount: number }): z.input<typeof OrderSummary> => ({
  ...orderHeadView(order),
  itemCount: order.itemCount,
  total: toMajor(order.totalMinor, order.currency),
  currency: order.currency,
});

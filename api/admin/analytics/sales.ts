import { z } from 'zod';
import { amount, count, type AnalyticsPage, type PointSums } from './reading/page';
import type { Sums } from './reading/sums';

/** The sales figures that other pages show too, in minor units. */
export function salesOf(within: Sums) {
  const gross = within.minor('sale');
  const discounts = within.minor('sale.discount');
  const refunds = within.minor('refund');
  return { gross, discounts, refunds, net: gross - discounts - refunds };
}

export const SALES_FIGURES = [
  ...(['sale', 'sale.discount', 'sale.shipping', 'sale.tax', 'sale.customer'] as const),
  ...(['refund', 'refund.shipping', 'refund.tax'] as const),
] as const;

const point = z.object({
  orders: count('Orders that were paid, counted when they were paid.'),
  grossSales: amount('The price of the goods of these orders, before discounts, tax and shipping.'),
  discounts: amount('The discounts of these orders.'),
  refunds: amount(
    'Goods whose price was taken back, after discounts: when the money of a refund or of a cancelled order was back with its buyer. Chargebacks are none.',
  ),
  refundCount: count('These refunds and cancellations.'),
  netSales: amount('Gross sales less discounts and refunds.'),
  shipping: amount('Shipping of the paid orders, less what was taken back.'),
  tax: amount('Tax of the paid orders, less what was taken back.'),
  totalSales: amount('Net sales, shipping and tax.'),
  averageOrderValue: amount('Gross sales less discounts, by order, rounded half up; 0 without orders.'),
  newCustomers: count('People who paid their first order.'),
  returningOrders: count('Paid orders of people who had paid one before.'),
});

function pointOf({ within }: PointSums): z.output<typeof point> {
  const { gross, discounts, refunds, net } = salesOf(within);
  const shipping = within.minor('sale.shipping') - within.minor('refund.shipping');
  const tax = within.minor('sale.tax') - within.minor('refund.tax');
  const orders = within.count('sale');
  const average = orders === 0 ? 0 : Math.round((gross - discounts) / orders);
  return {
    orders,
    grossSales: within.inMajor(gross),
    discounts: within.inMajor(discounts),
    refunds: within.inMajor(refunds),
    refundCount: within.count('refund'),
    netSales: within.inMajor(net),
    shipping: within.inMajor(shipping),
    tax: within.inMajor(tax),
    totalSales: within.inMajor(net + shipping + tax),
    averageOrderValue: within.inMajor(average),
    newCustomers: within.count('sale.customer', 'NEW'),
    returningOrders: within.count('sale.customer', 'RETURNING'),
  };
}

const breakdown = z.object({
  byPaymentMethod: z
    .array(
      z.object({
        paymentMethod: z.enum(['BALANCE', 'BANK_TRANSFER', 'CARD', 'EWALLET']),
        orders: count('Orders that were paid by it.'),
        grossSales: amount('Their gross sales.'),
      }),
    )
    .meta({ description: 'By the method by which orders were paid.' }),
  byCustomer: z
    .array(
      z.object({
        customer: z
          .enum(['NEW', 'RETURNING'])
          .meta({ description: 'NEW: it was the first order that they paid.' }),
        orders: count('Orders that were paid.'),
        sales: amount('Gross sales less discounts.'),
      }),
    )
    .meta({ description: 'By new and returning customers.' }),
  byRefundReason: z
    .array(
      z.object({
        reason: z
          .enum(['CANCELLATION', 'REQUEST'])
          .meta({ description: 'CANCELLATION: a paid order was cancelled. REQUEST: any other refund.' }),
        refunds: count('Refunds.'),
        amount: amount('Goods that were taken back, after discounts.'),
      }),
    )
    .meta({ description: 'Refunds by what they were for.' }),
});

export const salesPage: AnalyticsPage = {
  name: 'sales',
  show: { method: 'get', path: '/admin/analytics/sales' },
  export: { method: 'get', path: '/admin/analytics/sales/export' },
  summary: 'Show figures of sales',
  point,
  breakdown,
  figures: SALES_FIGURES,
  ofRange: [],
  before: [],
  pointOf,
  breakdownOf: ({ within }) =>
    Promise.resolve({
      byPaymentMethod: within.parts('sale').map((paymentMethod) => ({
        paymentMethod,
        orders: within.count('sale', paymentMethod),
        grossSales: within.major('sale', paymentMethod),
      })),
      byCustomer: within.parts('sale.customer').map((customer) => ({
        customer,
        orders: within.count('sale.customer', customer),
        sales: within.major('sale.customer', customer),
      })),
      byRefundReason: within.parts('refund').map((reason) => ({
        reason,
        refunds: within.count('refund', reason),
        amount: within.major('refund', reason),
      })),
    }),
};

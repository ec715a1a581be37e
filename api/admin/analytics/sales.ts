import { z } from 'zod';
import { categoryNames } from '../../../db/administration/analytics/name.reads';
import type { Db } from '../../../db/sql/query';
import type { Figure } from '../../../workflows/administration/analytics/figures.rules';
import {
  amount,
  count,
  MOST_LINES,
  type AnalyticsPage,
  type PointSums,
  type RangeSums,
} from './reading/page';
import type { Sums } from './reading/sums';
import { PaymentMethodField } from '../../orders/payment.view';

const PAID = 'when the order was paid';
const BACK = 'when the money was back with the buyer';
const PAID_OR_BACK = 'when the order was paid, and when its money was back with the buyer';

const figures = {
  orders: count('Orders that were paid.', PAID),
  revenue: amount('The price of the goods of these orders after discounts, before tax and shipping.', PAID),
  refunds: amount(
    'Goods whose price was taken back, after discounts, by refunds and cancelled orders. Chargebacks are none.',
    BACK,
  ),
  netRevenue: amount('Revenue less refunds.', PAID_OR_BACK),
  averageOrder: amount('Revenue by order, rounded half up; 0 without orders.', PAID),
};
const point = z.object(figures);

/** The figures of sales, from a figure of sales and one of refunds, by a part of both. */
export function salesOf(
  sales: readonly [Sums, Figure],
  refunds: readonly [Sums, Figure],
  part?: string,
): z.output<typeof point> {
  const orders = sales[0].count(sales[1], part);
  const revenue = sales[0].minor(sales[1], part);
  const back = refunds[0].minor(refunds[1], part);
  const inMajor = (minor: number): number => sales[0].inMajor(minor);
  return {
    orders,
    revenue: inMajor(revenue),
    refunds: inMajor(back),
    netRevenue: inMajor(revenue - back),
    averageOrder: inMajor(orders === 0 ? 0 : Math.round(revenue / orders)),
  };
}

const breakdown = z.object({
  byCategory: z
    .array(
      z.object({
        categoryId: z.uuid().nullable().meta({ description: 'Null: goods without a category.' }),
        name: z
          .string()
          .meta({ description: 'Empty without one, and of one that was deleted.', example: 'Coffee' }),
        ...figures,
        orders: count('Paid orders with goods of the category; one may count in several.', PAID),
      }),
    )
    .meta({
      description: `The ${MOST_LINES} categories with most revenue, by the category that goods had when they were ordered. Refunds of units count in their categories, others in proportion to what is left of the goods of the order.`,
    }),
  byMethod: z
    .array(
      z.object({
        method: PaymentMethodField,
        ...figures,
      }),
    )
    .meta({ description: 'By the method by which orders were paid, of refunds too.' }),
  byCustomer: z
    .array(
      z.object({
        customer: z
          .enum(['NEW', 'RETURNING'])
          .meta({ description: 'NEW: it was the first order that they paid.' }),
        orders: count('Orders that were paid.', PAID),
        revenue: amount('Their revenue.', PAID),
      }),
    )
    .meta({ description: 'By new and returning customers.' }),
  byRefundReason: z
    .array(
      z.object({
        reason: z
          .enum(['CANCELLATION', 'REQUEST'])
          .meta({ description: 'CANCELLATION: a paid order was cancelled. REQUEST: any other refund.' }),
        count: count('Refunds and cancellations.', BACK),
        refunds: amount('Goods that were taken back, after discounts.', BACK),
      }),
    )
    .meta({ description: 'Refunds by what they were for.' }),
  charges: z
    .object({
      discounts: amount('The discounts of the paid orders, already taken off revenue.', PAID),
      shipping: amount('Shipping of the paid orders, less what was taken back.', PAID_OR_BACK),
      tax: amount('Tax of the paid orders, less what was taken back.', PAID_OR_BACK),
      total: amount('Net revenue, shipping and tax.', PAID_OR_BACK),
    })
    .meta({ description: 'Net revenue, and what is no part of it.' }),
});

async function byCategory({ ofRange }: RangeSums, db: Db) {
  const parts = ofRange
    .parts('category.sale', 'category.refund')
    .sort((one, other) => ofRange.minor('category.sale', other) - ofRange.minor('category.sale', one))
    .slice(0, MOST_LINES);
  const names = await categoryNames(
    db,
    parts.filter((part) => part !== ''),
  );
  return parts.map((part) => ({
    categoryId: part === '' ? null : part,
    name: names.get(part) ?? '',
    ...salesOf([ofRange, 'category.sale'], [ofRange, 'category.refund'], part),
  }));
}

const byMethod = ({ within, ofRange }: RangeSums) =>
  [...new Set([...within.parts('sale'), ...ofRange.parts('method.refund')])].sort().map((method) => ({
    method,
    ...salesOf([within, 'sale'], [ofRange, 'method.refund'], method),
  }));

function chargesOf({ within }: RangeSums) {
  const shipping = within.minor('sale.shipping') - within.minor('refund.shipping');
  const tax = within.minor('sale.tax') - within.minor('refund.tax');
  const net = within.minor('sale') - within.minor('refund');
  return {
    discounts: within.major('sale.discount'),
    shipping: within.inMajor(shipping),
    tax: within.inMajor(tax),
    total: within.inMajor(net + shipping + tax),
  };
}

export const salesPage: AnalyticsPage = {
  name: 'sales',
  show: {
    id: 'getSalesFigures',
    returns: 'The figures of sales',
    method: 'get',
    path: '/admin/analytics/sales',
  },
  export: {
    id: 'exportSalesFigures',
    returns: 'The figures of sales as CSV',
    method: 'get',
    path: '/admin/analytics/sales/export',
  },
  summary: 'Show figures of sales',
  point,
  breakdown,
  figures: [
    ...(['sale', 'sale.discount', 'sale.shipping', 'sale.tax', 'sale.customer'] as const),
    ...(['refund', 'refund.shipping', 'refund.tax'] as const),
  ],
  ofRange: ['category.sale', 'category.refund', 'method.refund'],
  before: [],
  pointOf: ({ within }: PointSums) => salesOf([within, 'sale'], [within, 'refund']),
  breakdownOf: async (sums, db) => ({
    byCategory: await byCategory(sums, db),
    byMethod: byMethod(sums),
    byCustomer: sums.within.parts('sale.customer').map((customer) => ({
      customer,
      orders: sums.within.count('sale.customer', customer),
      revenue: sums.within.major('sale.customer', customer),
    })),
    byRefundReason: sums.within.parts('refund').map((reason) => ({
      reason,
      count: sums.within.count('refund', reason),
      refunds: sums.within.major('refund', reason),
    })),
    charges: chargesOf(sums),
  }),
};

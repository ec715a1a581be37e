import { z } from 'zod';
import type { OrderAddress } from '../../db/commerce/checkout/buyer.reads';
import type { OrderDetailRow, OrderHead } from '../../db/commerce/order/order.reads';
import type { Policy } from '../../db/policy/config';
import { toMajor } from '../../workflows/commerce/money.rules';
import {
  isCancellable,
  ORDER_PAYMENT_STATUSES,
  orderStates,
} from '../../workflows/commerce/order/order.states';
import { isAnythingLeft, isRefundable } from '../../workflows/commerce/refund/refund.rules';
import { openMeans, PaymentMethodField, showOpenMeans } from './payment.view';
import { OrderRefund, showRefund } from './refund/order-refund.view';
import { requestableOf } from './refund/requestable';

export const OrderStatusField = z.enum(orderStates.names);
export const PaymentStatusField = z.enum(ORDER_PAYMENT_STATUSES);

const head = {
  id: z.uuid(),
  orderNumber: z.string(),
  status: OrderStatusField,
  paymentStatus: PaymentStatusField,
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};

export const OrderSummary = z
  .object({ ...head, itemCount: z.number().int(), total: z.number(), currency: z.string() })
  .meta({ id: 'OrderSummary' });

const address = {
  street: z.string(),
  city: z.string(),
  region: z.string(),
  country: z.string(),
  postalCode: z.string(),
};
const OrderItem = z.object({
  id: z.uuid(),
  product: z.object({ id: z.uuid(), name: z.string(), sku: z.string(), thumbnailUrl: z.string().nullable() }),
  variantId: z.uuid().nullable(),
  variantAttributes: z.record(z.string(), z.string()).nullable(),
  quantity: z.number().int(),
  refundedQuantity: z.number().int().meta({
    description: 'Of the quantity: the units that are refunded. They are not shipped.',
  }),
  unitPrice: z.number(),
  totalPrice: z.number(),
});

export const OrderDetail = z
  .object({
    ...head,
    items: z.array(OrderItem),
    pricing: z.object({
      subtotal: z.number(),
      discount: z.number(),
      shipping: z.number(),
      tax: z.number(),
      total: z.number(),
      currency: z.string(),
    }),
    shippingAddress: z.object({ recipientName: z.string(), ...address, phone: z.string().nullable() }),
    billingAddress: z.object(address).nullable(),
    shippingMethod: z.object({
      name: z.string(),
      carrier: z.string().nullable(),
      estimatedDelivery: z.iso.date().nullable(),
    }),
    payment: z.object({
      method: PaymentMethodField,
      transactionId: z.string().nullable(),
      paidAt: z.iso.datetime().nullable(),
      ...openMeans,
    }),
    refunds: z.array(OrderRefund).meta({ description: 'Newest first, at most 100.' }),
    refundedAmount: z.number().meta({
      description:
        'The money that is back, also by parts of refunds that are not completed, and payments that were returned since they paid nothing.',
    }),
    appliedCoupons: z.array(z.object({ code: z.string(), discount: z.number() })),
    notes: z.string().nullable(),
    statusHistory: z.array(
      z.object({ status: OrderStatusField, changedAt: z.iso.datetime(), note: z.string().nullable() }),
    ),
    canCancel: z.boolean(),
    canRefund: z.boolean(),
  })
  .meta({ id: 'OrderDetail' });

const showHead = (order: OrderHead) => ({
  id: order.id,
  orderNumber: order.orderNumber,
  status: order.status,
  paymentStatus: order.paymentStatus,
  createdAt: order.createdAt.toISOString(),
  updatedAt: order.updatedAt.toISOString(),
});

export const showSummary = (order: OrderHead & { itemCount: number }): z.input<typeof OrderSummary> => ({
  ...showHead(order),
  itemCount: order.itemCount,
  total: toMajor(order.totalMinor, order.currency),
  currency: order.currency,
});

/** In the contract every address has a region; it is empty where the buyer entered none. */
const showAddress = (address: OrderAddress) => ({ ...address, region: address.region ?? '' });

/** The order as its buyer sees it at `at`, with amounts in major units. */
export function showDetail(
  order: OrderDetailRow,
  at: Date,
  { refundWindowDays }: Pick<Policy, 'refundWindowDays'>,
): z.input<typeof OrderDetail> {
  const { currency, status } = order;
  const major = (minor: number): number => toMajor(minor, currency);
  const requestable = requestableOf(order);
  return {
    ...showHead(order),
    items: order.items.map((item) => ({
      id: item.id,
      product: { id: item.productId, name: item.name, sku: item.sku, thumbnailUrl: item.thumbnailUrl },
      variantId: item.variantId,
      variantAttributes: item.variantAttributes,
      quantity: item.quantity,
      refundedQuantity: item.refundedQuantity,
      unitPrice: major(item.unitPriceMinor),
      totalPrice: major(item.totalMinor),
    })),
    pricing: {
      subtotal: major(order.subtotalMinor),
      discount: major(order.discountMinor),
      shipping: major(order.shippingMinor),
      tax: major(order.taxMinor),
      total: major(order.totalMinor),
      currency,
    },
    shippingAddress: showAddress(order.shippingAddress),
    billingAddress: order.billingAddress && showAddress(order.billingAddress),
    shippingMethod: {
      name: order.shippingMethodName,
      carrier: order.carrier,
      estimatedDelivery: order.estimatedDelivery,
    },
    payment: {
      method: order.paymentMethod,
      transactionId: order.transactionId,
      paidAt: order.paidAt?.toISOString() ?? null,
      ...showOpenMeans(order, at),
    },
    refunds: order.refunds.newest.map((refund) => showRefund(refund, currency)),
    refundedAmount: major(order.refunds.completedMinor),
    appliedCoupons: order.coupons.map(({ code, discountMinor }) => ({
      code,
      discount: major(discountMinor),
    })),
    notes: order.notes,
    statusHistory: order.history.map((change) => ({
      ...change,
      changedAt: new Date(change.changedAt).toISOString(),
    })),
    canCancel: isCancellable(status),
    canRefund:
      isRefundable(requestable, at, refundWindowDays) &&
      !order.hasOpenRefundRequest &&
      isAnythingLeft(requestable, order.capture),
  };
}

import { z } from 'zod';
import type { OrderAddress } from '../../db/identity/address/order-address';
import type { OrderDetailRow } from '../../db/commerce/order/order.reads';
import type { Policy } from '../../db/policy/config';
import { toMajor } from '../../workflows/commerce/money.rules';
import { isCancellable } from '../../workflows/commerce/order/order.states';
import { isAnythingLeft, isRefundable } from '../../workflows/commerce/refund/refund.rules';
import { orderHead, OrderStatusField, orderHeadView } from './order.view';
import { openMeans, PaymentMethodField, openMeansView } from './payment.view';
import { OrderRefund, orderRefundView } from './refund/order-refund.view';
import { requestableOf } from './refund/requestable';

const address = {
  street: z.string().describe('Street and house number.'),
  city: z.string(),
  region: z.string().describe('State, province or the like.'),
  country: z.string(),
  postalCode: z.string(),
};
const OrderItem = z.object({
  id: z.uuid().describe('Identifies the line of the order; a UUID.'),
  product: z
    .object({
      id: z.uuid(),
      name: z.string(),
      sku: z.string(),
      thumbnailUrl: z.string().nullable().describe('The URL of a small version; null without one.'),
    })
    .describe('The product that it is about.'),
  variantId: z.uuid().nullable().describe('The variant of the product; null for the product itself.'),
  variantAttributes: z
    .record(z.string(), z.string())
    .nullable()
    .describe('The attributes of the variant; null for the product itself.'),
  quantity: z.number().int(),
  refundedQuantity: z.number().int().meta({
    description: 'Of the quantity: the units that are refunded. They are not shipped.',
  }),
  unitPrice: z.number().describe('The price of one unit.'),
  totalPrice: z.number().describe('The price of all units.'),
});

export const OrderDetail = z
  .object({
    ...orderHead,
    items: z.array(OrderItem).describe('The lines, one for each product or variant.'),
    pricing: z
      .object({
        subtotal: z.number().describe('The price of the goods before discounts.'),
        discount: z.number().describe('Taken off the price of the goods.'),
        shipping: z.number().describe('The price of shipping.'),
        tax: z.number().describe('The tax on goods and shipping.'),
        total: z.number().describe('What is to be paid: goods less discount, shipping and tax.'),
        currency: z.string(),
      })
      .describe('What the order costs.'),
    shippingAddress: z
      .object({
        recipientName: z.string().describe('The person or company that takes the parcel.'),
        ...address,
        phone: z.string().nullable(),
      })
      .describe('Where the parcel goes.'),
    billingAddress: z
      .object(address)
      .nullable()
      .describe('The address on the invoice; null if it is the shipping address.'),
    shippingMethod: z
      .object({
        name: z.string(),
        carrier: z.string().nullable().describe('The company that carries the parcel.'),
        estimatedDelivery: z.iso
          .date()
          .nullable()
          .describe('The day or days on which the parcel is expected; null if unknown.'),
      })
      .describe('The shipping method that was chosen.'),
    payment: z
      .object({
        method: PaymentMethodField,
        transactionId: z
          .string()
          .nullable()
          .describe("The provider's or the bank's id of the payment; null until it is paid."),
        paidAt: z.iso.datetime().nullable().describe('When the payment arrived; null until then.'),
        ...openMeans,
      })
      .describe('How the order is paid.'),
    refunds: z.array(OrderRefund).meta({ description: 'Newest first, at most 100.' }),
    refundedAmount: z.number().meta({
      description:
        'The money that is back, also by parts of refunds that are not completed, and payments that were returned since they paid nothing.',
    }),
    appliedCoupons: z
      .array(
        z.object({
          code: z.string().describe('The code of the coupon.'),
          discount: z.number().describe('Taken off the price of the goods.'),
        }),
      )
      .describe('The coupons that lower the price, with the discount of each.'),
    notes: z.string().nullable().describe('What the buyer wrote for the shop; null without it.'),
    statusHistory: z
      .array(
        z.object({
          status: OrderStatusField,
          changedAt: z.iso.datetime().describe('When the order reached this status.'),
          note: z.string().nullable().describe('A note by an administrator; null without one.'),
        }),
      )
      .describe('Every status so far, oldest first.'),
    canCancel: z.boolean().describe('True while the order can be cancelled.'),
    canRefund: z.boolean().describe('True while a refund can be requested.'),
  })
  .meta({ id: 'OrderDetail' });

/** In the contract every address has a region; it is empty where the buyer entered none. */
const showAddress = (address: OrderAddress) => ({ ...address, region: address.region ?? '' });

/** The order as its buyer sees it at `at`, with amounts in major units. */
export function orderDetailView(
  order: OrderDetailRow,
  at: Date,
  { refundWindowDays }: Pick<Policy, 'refundWindowDays'>,
): z.input<typeof OrderDetail> {
  const { currency, status } = order;
  const major = (minor: number): number => toMajor(minor, currency);
  const requestable = requestableOf(order);
  return {
    ...orderHeadView(order),
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
      ...openMeansView(order, at),
    },
    refunds: order.refunds.newest.map((refund) => orderRefundView(refund, currency)),
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

import { z } from 'zod';
import { cartToOrder } from '../../db/commerce/cart/cart-to-order.reads';
import {
  carriedOutUntil,
  checkoutProcess,
  placeOrder,
  type PlaceOrder,
} from '../../workflows/commerce/checkout/checkout.contract';
import { toMajor } from '../../workflows/commerce/money.rules';
import { refusal } from '../../workflows/errors';
import { endpoint } from '../http/endpoint';
import type { Context } from '../http/handler-context';
import { text, typedCode } from '../http/request/fields';
import { financialPerMinute } from '../http/limits/limits';
import { noteOf } from '../http/idempotency/note';
import { PaymentMethodField, PlacedPayment, placedPaymentView } from '../orders/payment.view';
import { idOf } from '../http/request/ids/id-of';
import { identifying } from '../http/request/ids/identified';

const Checkout = z.object({
  shippingAddressId: idOf('address').describe('One of the saved addresses.'),
  billingAddressId: idOf('address')
    .optional()
    .describe('One of the saved addresses; by default the shipping address.'),
  shippingMethodId: idOf('shipping method').describe('The shipping method, one that goes to the address.'),
  paymentMethod: PaymentMethodField,
  couponCodes: z
    .array(identifying(typedCode({ max: 50 }), 'coupon code'))
    .max(10)
    .optional()
    .describe('Coupons to use besides those of the cart, at most 10.'),
  notes: text({ max: 1000 }).optional().describe('What the buyer wrote for the shop.'),
  usePartnerBalance: z
    .boolean()
    .optional()
    .describe('True pays with earnings as a partner first; false by default.'),
});

const amount = z.number();
const PlacedOrder = z
  .object({
    orderId: z.uuid(),
    orderNumber: z.string(),
    status: z.literal('PENDING_PAYMENT'),
    payment: PlacedPayment.describe('How the order is paid.'),
    summary: z
      .object({
        subtotal: amount.describe('The price of the goods before discounts.'),
        discount: amount.describe('Taken off the price of the goods.'),
        shipping: amount.describe('The price of shipping.'),
        tax: amount.describe('The tax on goods and shipping.'),
        total: amount.describe('What is to be paid: goods less discount, shipping and tax.'),
      })
      .describe('What the order costs.'),
    estimatedDelivery: z.iso
      .date()
      .nullable()
      .describe('The day or days on which the parcel is expected; null if unknown.'),
  })
  .meta({
    id: 'PlacedOrder',
    description: 'The order as placed. An order paid from a balance is PAID right after.',
  });

export const checkout = endpoint({
  id: 'checkout',
  returns: 'The placed order, and how to pay for it',
  method: 'post',
  path: '/cart/checkout',
  summary: 'Order the goods in the cart',
  description:
    'Takes everything in the cart at the prices of now, reserves the stock and opens a payment. The cart is empty afterwards. Send an Idempotency-Key: repeated with it, there is still one order. VALIDATION_ERROR with the reason AMOUNT_NOT_PAYABLE: the provider of this method does not take such an amount.',
  tag: 'Cart',
  auth: 'user',
  limit: financialPerMinute(2),

  body: Checkout,
  example: {
    billingAddressId: undefined,
    couponCodes: [],
    notes: 'Please ring twice.',
    usePartnerBalance: false,
  },
  success: 201,
  data: PlacedOrder,
  errors: {
    CART_EMPTY: 400,
    ITEMS_UNAVAILABLE: 400,
    INSUFFICIENT_STOCK: 400,
    INSUFFICIENT_BALANCE: 400,
    INVALID_ADDRESS: 400,
    INVALID_SHIPPING_METHOD: 400,
    INVALID_COUPON: 400,
    KYC_REQUIRED: 403,
    PRICE_CHANGED: 409,
  },
  refusalCounter: {
    name: 'platform_orders_refused_total',
    help: 'Orders refused since the start of the API process, by code; repeated requests count once.',
  },

  async handle({ body }, context) {
    const { db, processes, caller, mint, policy, request } = context;
    const { order: orderId } = await mint('order', 'attempt', ...(body.notes ? (['note'] as const) : []));
    const buyer = { orderId, userId: caller.id };
    // A process that can only be refused is not started, since its history would be stored for 30 days.
    const cart = await cartToOrder(db, { ...buyer, cartDays: policy.cartDays });
    if (cart.version === null && !cart.isPlaced) throw refusal('CART_EMPTY');
    const placed = await processes.open(
      checkoutProcess,
      {
        ...buyer,
        ...(cart.orderNumber !== null && { orderNumber: cart.orderNumber }),
        paymentMethod: body.paymentMethod,
      },
      placeOrder,
      { ...(await commandFrom(body, context)), cartVersion: cart.version },
      {
        updateId: request.idempotencyId,
      },
    );
    const { summaryMinor: minor, payment } = placed;
    const major = (amountMinor: number): number => toMajor(amountMinor, payment.currency);
    return {
      orderId,
      orderNumber: placed.orderNumber,
      status: 'PENDING_PAYMENT' as const,
      payment: placedPaymentView(payment),
      summary: {
        subtotal: major(minor.subtotal),
        discount: major(minor.discount),
        shipping: major(minor.shipping),
        tax: major(minor.tax),
        total: major(minor.total),
      },
      estimatedDelivery: placed.estimatedDelivery,
    };
  },
});

/** The command for the process, which holds ids and choices only; the buyer's notes are stored under an id. */
async function commandFrom(
  body: z.output<typeof Checkout>,
  context: Context<'user'>,
): Promise<Omit<PlaceOrder, 'cartVersion'>> {
  const { notes, billingAddressId = null, couponCodes = [], usePartnerBalance = false, ...choices } = body;
  const { attempt: attemptId } = await context.mint('attempt');
  return {
    ...choices,
    billingAddressId,
    couponCodes,
    usePartnerBalance,
    noteId: notes ? await noteOf(context, notes) : null,
    attemptId,
    notAfter: carriedOutUntil(new Date()),
  };
}

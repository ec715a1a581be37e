import { v7 } from 'uuid';
import type { PaymentProvider } from '../../../../activities/providers/payments/port';
import { lockGoods } from '../../../../db/commerce/cart/cart-to-order.reads';
import { execute, firstRow, rows, type Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { PlaceOrder } from '../../../../workflows/commerce/checkout/checkout.contract';
import type { PaymentMethod } from '../../../../workflows/commerce/payment/payment.rules';
import type { KycLevel } from '../../../../workflows/kyc/kyc.rules';
import type { OrderSteps } from '../given';
import { make } from '../make';
import { noteOf, orderSteps, storedReport } from '../ordering';
import { requestRefund } from '../refunding';

/** Units of each product that are in stock before the order. */
export const STOCK = 10;

/** Options of an order; by default two goods of 25 USD, 10 % off by the only use of a coupon, and 5 USD for the parcel. */
export interface OrderOptions {
  /** Goods, each a product of its own. */
  lines?: readonly { priceMinor: number; quantity: number; categoryId?: string }[];
  /** Discount by the coupon: a share of everything (0: no discount), or an amount. */
  discountBp?: number;
  discountMinor?: number;
  taxBp?: number;
  shippingMinor?: number;
  method?: PaymentMethod;
  /** Wallet of the buyer; by default empty, and ample if it is to pay. */
  walletMinor?: number;
  /** The buyer's level; by default STANDARD. */
  kycLevel?: KycLevel;
  /** Spent from the partner balance, up to the price of the order. */
  partnerMinor?: number;
  /** A partner who buys, and pays with what they have earned; by default a new buyer. */
  partner?: { id: string; addressId: string };
  /** The payment provider; by default the sandbox. */
  provider?: PaymentProvider;
  /** The partner that has referred the buyer; by default none. */
  sponsorId?: string;
  /** Time of the order and of all its steps; by default now. */
  at?: string;
}

/** An order that is about to be placed, and what it will reserve. */
export interface OrderToPlace {
  orderId: string;
  userId: string;
  attemptId: string;
  /** The input of `placeOrder`, besides ids. */
  input: PlaceOrder;
  /** Of its first line. */
  stockItemId: string;
  couponId: string;
}

/** An order that was placed. */
export interface MadeOrder extends OrderToPlace {
  at: string;
  items: { id: string; quantity: number; stockItemId: string }[];
  totalMinor: number;
  partnerMinor: number;
}

const USUAL_LINES: NonNullable<OrderOptions['lines']> = [{ priceMinor: 2_500, quantity: 2 }];

export async function orderToPlace(db: Db, options: OrderOptions): Promise<OrderToPlace> {
  const { lines = USUAL_LINES, method = 'CARD', partnerMinor = 0, shippingMinor = 500 } = options;
  const { walletMinor = method === 'BALANCE' ? 10_000_000 : 0 } = options;
  await make.taxRate(db, 'DE', options.taxBp ?? 0);
  const products = await Promise.all(
    lines.map((line) => {
      const { priceMinor, categoryId = null } = line;
      return make.product(db, { priceMinor, categoryId, stock: STOCK });
    }),
  );
  const coupon = await couponOf(db, options);
  const kycLevel = options.kycLevel ?? 'STANDARD';
  const buyer = options.partner ?? (await make.buyer(db, { walletMinor, kycLevel }));
  if (options.sponsorId !== undefined)
    await execute(db, 'UPDATE users SET sponsor_id = $2 WHERE id = $1', [buyer.id, options.sponsorId]);
  if (partnerMinor > 0) await make.money(db, buyer.id, partnerMinor, 'partner_available');
  const goods = products.map(({ id: productId }, i) => ({ productId, quantity: lines[i]!.quantity }));
  const cartId = await make.cart(db, buyer.id, goods);
  const attemptId = v7();
  const input = {
    attemptId,
    shippingAddressId: buyer.addressId,
    billingAddressId: null,
    shippingMethodId: await make.shippingMethod(db, { baseMinor: shippingMinor }),
    paymentMethod: method,
    couponCodes: coupon.codes,
    usePartnerBalance: partnerMinor > 0 || options.partner !== undefined,
    noteId: null,
    cartVersion: await inTransaction(db, (tx) => lockGoods(tx, cartId)),
  };
  const held = { stockItemId: products[0]!.stockItemId!, couponId: coupon.id };
  return { orderId: v7(), userId: buyer.id, attemptId, input, ...held };
}

/** A coupon that may be used once, and the codes that the order names: none if there is no discount. */
async function couponOf(
  db: Db,
  { discountBp = 1_000, discountMinor }: OrderOptions,
): Promise<{ id: string; codes: string[] }> {
  const percentage = discountBp > 0 ? { percentageBp: discountBp } : {};
  const discount = discountMinor === undefined ? percentage : { amountMinor: discountMinor };
  const { id, code } = await make.coupon(db, { usageLimit: 1, ...discount });
  return { id, codes: Object.keys(discount).length > 0 ? [code] : [] };
}

export async function placeBySteps(db: Db, options: OrderOptions): Promise<MadeOrder> {
  const { provider, at = new Date().toISOString() } = options;
  const order = await orderToPlace(db, options);
  const { orderId } = order;
  await orderSteps(db, provider).placeOrder({ ...order, ...order.input, at });
  const items = await rows<MadeOrder['items'][number]>(
    db,
    `SELECT id, quantity, stock_item_id FROM order_items WHERE order_id = $1 ORDER BY position`,
    [orderId],
  );
  const prices = await firstRow<{ totalMinor: number; partnerMinor: number }>(
    db,
    `SELECT total_minor, partner_balance_minor AS partner_minor FROM orders WHERE id = $1`,
    [orderId],
  );
  return { ...order, at, items, ...prices! };
}

/** The steps of activities, as the processes of an order run them. */
export const dbSteps = (db: Db): OrderSteps<MadeOrder> => ({
  paid: (order) => payRest(db, order),
  async shipped({ orderId, at }) {
    await orderSteps(db).beginProcessing({ orderId, at });
    await orderSteps(db).moveOrder({ orderId, to: 'SHIPPED', ...(await byStaff(db)), at });
  },
  async delivered({ orderId, at }) {
    await orderSteps(db).moveOrder({ orderId, to: 'DELIVERED', ...(await byStaff(db)), at });
  },
  async cancelled({ orderId, userId, at }) {
    const noteId = await noteOf(db, userId, 'Changed my mind.');
    const { refundsDue } = await orderSteps(db).cancelOrder({ orderId, noteId, at });
    return { refundId: refundsDue[0]!.refundId };
  },
  refundRequested: (order) => requestRefund(db, order),
});

/** An administrator's note on a step of which the customer is not told. */
export async function byStaff(db: Db): Promise<{ noteId: string; notifyCustomer: boolean }> {
  const { id } = await make.admin(db);
  return { noteId: await noteOf(db, id, null), notifyCustomer: false };
}

/** Pays what the balances did not cover: a provider reports it, or an administrator enters the transfer. */
async function payRest(db: Db, { orderId, attemptId, at, ...order }: MadeOrder): Promise<void> {
  const { status, provider, method } = (await firstRow<Record<'status' | 'provider' | 'method', string>>(
    db,
    `SELECT o.status, o.payment_method AS method, a.provider FROM orders o
       LEFT JOIN payment_attempts a ON a.id = $2 WHERE o.id = $1`,
    [orderId, attemptId],
  ))!;
  if (status !== 'PENDING_PAYMENT') return;
  const amountMinor = order.totalMinor - order.partnerMinor;
  if (method === 'BANK_TRANSFER') {
    const transfer = { orderId, amountMinor, transactionId: `IN-${orderId}`, onMismatch: 'REFUSE' as const };
    const { noteId } = await byStaff(db);
    await orderSteps(db).confirmTransfer({ ...transfer, captureId: v7(), noteId, at });
    return;
  }
  const { webhookEventId } = await storedReport(db, 'PAID', { attemptId, amountMinor, provider });
  await orderSteps(db).applyPaymentEvent({ webhookEventId, at });
}

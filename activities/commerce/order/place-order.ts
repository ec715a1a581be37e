import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { reserveStock } from '../../../db/catalog/stock/stock.transitions';
import { lockCart, lockGoods } from '../../../db/commerce/cart/cart.reads';
import { redeemCoupon } from '../../../db/commerce/coupon/coupon.transitions';
import { holdBalance } from '../payment/hold-balance';
import { lockOrder, type LockedOrder } from '../../../db/commerce/order/order.transitions';
import {
  moveAttempt,
  attemptsOf,
  openAttempt,
} from '../../../db/commerce/payment/payment-attempt.transitions';
import { emptyCart } from '../../../db/commerce/cart/cart.writes';
import { writeOrder } from '../../../db/commerce/checkout/place-order.transitions';
import { placementOf, type Placement } from '../../../db/commerce/checkout/placement.reads';
import { settleOrder } from '../payment/settle-order';
import type { Tx } from '../../../db/sql/query';
import type { Policy } from '../../../db/policy/config';
import type { OrderStanding } from '../../../workflows/commerce/order/order.contract';
import { payUntil, type PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import { deliveryDays } from '../../../workflows/commerce/shipping/shipping.rules';
import { refusal } from '../../../workflows/errors';
import { draftOrder, notEnough, type OrderDraft, type Placing } from './order-draft';

/**
 * Places an order in the caller's transaction: the cart is locked first, so the same buyer's wishes queue; goods that
 * are being deleted at this moment are either gone or in the order, never both; stock is locked in the order of its
 * ids, so different buyers never wait crosswise. An order placed before is only read.
 */
export async function placeOrderIn(
  tx: Tx,
  wish: Placing,
  { provider, policy }: { provider: string; policy: Policy },
): Promise<Placement> {
  const cartId = await lockCart(tx, wish.userId, policy.cartDays);
  const before = await placementOf(tx, wish.orderId);
  if (before) return before;
  if (cartId === null) throw refusal('CART_EMPTY', 'There is nothing in the cart.');

  await lockGoods(tx, cartId);
  const draft = await draftOrder(tx, wish, policy);
  await takeCoupons(tx, wish.userId, draft);
  await takeStock(tx, wish, draft);
  const payBy = payUntil(policy, { method: wish.paymentMethod, placedAt: wish.at, at: wish.at });
  const restMinor = draft.price.totalMinor - draft.partnerBalanceMinor;
  await writeDraft(tx, wish, draft, payBy);
  await openAttempt(tx, {
    id: wish.attemptId,
    orderId: wish.orderId,
    provider,
    method: wish.paymentMethod,
    amountMinor: restMinor,
    currency: draft.currency,
    expiresAt: payBy,
    at: wish.at,
  });
  await emptyCart(tx, draft.cartId, new Date(wish.at));
  if (wish.paymentMethod === 'BALANCE' || draft.partnerBalanceMinor > 0 || restMinor === 0)
    await takeBalance(tx, wish);
  return requirePlacement(tx, wish.orderId);
}

/**
 * Settles the order if the buyer's balances are all of its payment, and takes what they bring. Goods come before
 * balances, as in cancelling: neither then waits for what the other holds.
 */
async function takeBalance(tx: Tx, { orderId, at }: Placing): Promise<void> {
  const order = await requireOrder(tx, orderId);
  const walletMinor = await settleFromBalance(tx, order, order.paymentMethod, at);
  await holdBalance(tx, order, 'partner_available', order.partnerBalanceMinor, at);
  await holdBalance(tx, order, 'wallet', walletMinor, at);
}

/** A new attempt by balance: the order is settled, and what the partner balance left is taken from the wallet. */
export async function payFromWallet(tx: Tx, order: LockedOrder, at: string): Promise<void> {
  const walletMinor = await settleFromBalance(tx, order, 'BALANCE', at);
  await holdBalance(tx, order, 'wallet', walletMinor, at);
}

/**
 * Pays at once what needs no provider: an order by balance, or one that the partner balance covers. Answers what the
 * wallet has yet to bring.
 */
async function settleFromBalance(
  tx: Tx,
  order: LockedOrder,
  method: PaymentMethod,
  at: string,
): Promise<number> {
  const restMinor = order.totalMinor - order.partnerBalanceMinor;
  if (method !== 'BALANCE' && restMinor > 0) return 0;
  const [attempt] = await attemptsOf(tx, order.id);
  if (attempt) await moveAttempt(tx, attempt, 'PAID', at);
  await settleOrder(tx, order, { method, by: order.userId, at });
  return restMinor;
}

/** How an order stands, as its processes are told. */
export const standingOf = ({
  status,
  payBy,
  paidAt,
}: Pick<LockedOrder | Placement, 'status' | 'payBy' | 'paidAt'>): OrderStanding => ({
  status,
  payBy,
  wasPaid: paidAt !== null,
});

/** The order, locked; its process exists only because it was placed, so none is our own mistake. */
export async function requireOrder(tx: Tx, orderId: string): Promise<LockedOrder> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw new Error(`There is no order ${orderId}.`);
  return order;
}

export async function requirePlacement(tx: Tx, orderId: string): Promise<Placement> {
  const placement = await placementOf(tx, orderId);
  if (!placement) throw new Error(`Order ${orderId} was not placed.`);
  return placement;
}

async function takeCoupons(tx: Tx, userId: string, { coupons }: OrderDraft): Promise<void> {
  const inLockOrder = [...coupons].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const coupon of inLockOrder) {
    if (!(await redeemCoupon(tx, coupon.id, userId)))
      throw refusal('INVALID_COUPON', 'A coupon is used up.', {
        couponCodes: [`${coupon.code}: This coupon is used up.`],
      });
  }
}

async function takeStock(tx: Tx, { orderId, at }: Placing, { lines }: OrderDraft): Promise<void> {
  const amounts = lines.flatMap(({ stockItemId, quantity }) =>
    stockItemId === null ? [] : [{ stockItemId, quantity }],
  );
  const { short } = await reserveStock(tx, amounts, `order:${orderId}`, at);
  if (short.length > 0)
    throw notEnough(lines.filter((line) => line.stockItemId !== null && short.includes(line.stockItemId)));
}

async function writeDraft(tx: Tx, wish: Placing, draft: OrderDraft, payBy: string): Promise<void> {
  const notes = wish.noteId === null ? null : (await readNote(tx, wish.noteId)).text;
  const { orderId, userId, paymentMethod, at } = wish;
  const { shipping } = draft;
  await writeOrder(tx, {
    ...draft,
    orderId,
    userId,
    paymentMethod,
    at,
    payBy,
    notes,
    estimatedDelivery: deliveryDays(new Date(at), shipping).max,
  });
}

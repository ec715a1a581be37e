import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { reserveStock } from '../../../db/catalog/stock/stock.transitions';
import { lockCart } from '../../../db/commerce/cart/cart.reads';
import { lockGoods } from '../../../db/commerce/cart/cart-to-order.reads';
import { redeemCoupon } from '../../../db/commerce/coupon/coupon.transitions';
import { holdBalance } from '../payment/hold-balance';
import { openAttempt } from '../../../db/commerce/payment/payment-attempt.transitions';
import { emptyCart } from '../../../db/commerce/cart/cart.writes';
import { writeOrder } from '../../../db/commerce/checkout/place-order.transitions';
import { placementOf, type Placement } from '../../../db/commerce/checkout/placement.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { payUntil } from '../../../workflows/commerce/payment/payment.rules';
import { deliveryDays } from '../../../workflows/commerce/shipping/shipping.rules';
import { refusal } from '../../../workflows/errors';
import { requireOrder } from '../order/require-order';
import { draftOrder, type OrderDraft, type OrderRequest } from './order-draft';
import { notEnough } from './require-cart';
import { settleFromBalance } from './settle-from-balance';

/** The provider of new payments, and the policy of their windows. */
export interface PaymentTerms {
  provider: string;
  policy: Policy;
}

/**
 * Places an order. The cart is locked first, so requests of one buyer queue; goods under deletion are either gone or in
 * the order, never both; stock is locked in the order of its ids, so buyers cannot deadlock. An order that was placed
 * before is only read. Refused with the codes of POST /cart/checkout.
 */
export const placeOrder = (db: Db, request: OrderRequest, terms: PaymentTerms): Promise<Placement> =>
  inTransaction(db, async (tx) => {
    const { policy, provider } = terms;
    const cartId = await lockCart(tx, request.userId, policy.cartDays);
    const before = await placementOf(tx, request.orderId);
    if (before) return before;
    if (cartId === null) throw refusal('CART_EMPTY', 'There is nothing in the cart.');

    const cartVersion = await lockGoods(tx, cartId);
    const draft = await draftOrder(tx, request, { policy, cartVersion });
    await redeemCoupons(tx, request.userId, draft);
    await reserveGoods(tx, request, draft);
    const payBy = payUntil(policy, { method: request.paymentMethod, placedAt: request.at, at: request.at });
    const restMinor = draft.price.totalMinor - draft.partnerBalanceMinor;
    await writeDraft(tx, request, draft, payBy);
    await openAttempt(tx, {
      id: request.attemptId,
      orderId: request.orderId,
      provider,
      method: request.paymentMethod,
      amountMinor: restMinor,
      currency: draft.currency,
      expiresAt: payBy,
      at: request.at,
    });
    await emptyCart(tx, draft.cartId, new Date(request.at));
    if (request.paymentMethod === 'BALANCE' || draft.partnerBalanceMinor > 0 || restMinor === 0)
      await holdBalances(tx, request);
    return requirePlacement(tx, request.orderId);
  });

export async function requirePlacement(tx: Tx, orderId: string): Promise<Placement> {
  const placement = await placementOf(tx, orderId);
  if (!placement) throw new Error(`Order ${orderId} was not placed.`);
  return placement;
}

/**
 * Settles the order if the buyer's balances cover its payment, then holds their amounts. Goods are locked before
 * balances, as in a cancellation, so that the two cannot deadlock.
 */
async function holdBalances(tx: Tx, { orderId, at }: OrderRequest): Promise<void> {
  const order = await requireOrder(tx, orderId);
  const walletMinor = await settleFromBalance(tx, order, order.paymentMethod, at);
  await holdBalance(tx, order, 'partner_available', order.partnerBalanceMinor, at);
  await holdBalance(tx, order, 'wallet', walletMinor, at);
}

async function redeemCoupons(tx: Tx, userId: string, { coupons }: OrderDraft): Promise<void> {
  const inLockOrder = [...coupons].sort((a, b) => (a.id < b.id ? -1 : 1));
  for (const coupon of inLockOrder) {
    if (!(await redeemCoupon(tx, coupon.id, userId)))
      throw refusal('INVALID_COUPON', 'A coupon is used up.', {
        couponCodes: [`${coupon.code}: This coupon is used up.`],
      });
  }
}

async function reserveGoods(tx: Tx, { orderId, at }: OrderRequest, { lines }: OrderDraft): Promise<void> {
  const amounts = lines.flatMap(({ stockItemId, quantity }) =>
    stockItemId === null ? [] : [{ stockItemId, quantity }],
  );
  const { short } = await reserveStock(tx, amounts, `order:${orderId}`, at);
  if (short.length > 0)
    throw notEnough(lines.filter((line) => line.stockItemId !== null && short.includes(line.stockItemId)));
}

async function writeDraft(tx: Tx, request: OrderRequest, draft: OrderDraft, payBy: string): Promise<void> {
  const notes = request.noteId === null ? null : (await readNote(tx, request.noteId)).text;
  const { orderId, orderNumber, userId, paymentMethod, at } = request;
  const { shipping } = draft;
  await writeOrder(tx, {
    ...draft,
    orderId,
    orderNumber,
    userId,
    paymentMethod,
    at,
    payBy,
    notes,
    estimatedDelivery: deliveryDays(new Date(at), shipping).max,
  });
}

import { readNote } from '../../../db/administration/idempotency/request-note.writes';
import { reserveStock } from '../../../db/catalog/stock/stock.transitions';
import { lockCart } from '../../../db/commerce/cart/cart.reads';
import { lockGoods } from '../../../db/commerce/cart/cart-to-order.reads';
import { redeemCoupon } from '../../../db/commerce/coupon/coupon.transitions';
import { holdBalance } from '../payment/hold-balance';
import { emptyCart } from '../../../db/commerce/cart/cart.writes';
import { writeOrder } from '../../../db/commerce/checkout/place-order.transitions';
import { placementOf, type Placement } from '../../../db/commerce/checkout/placement.reads';
import { lockUserStanding } from '../../../db/kyc/standing/user-standing.writes';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { payUntil } from '../../../workflows/commerce/payment/payment.rules';
import { deliveryDays } from '../../../workflows/commerce/shipping/shipping.rules';
import { refusal } from '../../../workflows/errors';
import { requireOrder } from '../order/require-order';
import { requireInTime } from './in-time';
import { openOfferedAttempt } from './open-attempt';
import type { Payments } from '../payment/payment-offer';
import { draftOrder, type OrderDraft, type OrderRequest } from './order-draft';
import { queuePlacedMail } from '../order/queue-placed-mail';
import { insufficientStock } from './require-cart';
import { settleFromBalance } from './settle-from-balance';

/** The means of new payments, and the policy of their windows. */
export interface CheckoutDeps {
  db: Db;
  payments: Payments;
  policy: Policy;
}

/**
 * Places an order. The cart is locked first (of a buyer who spends partner balance, their level before it), so requests of
 * one buyer queue; goods under deletion are either gone or in
 * the order, never both; stock is locked in the order of its ids, so buyers cannot deadlock. An order that was placed
 * before is only read. Refused with the codes of POST /cart/checkout.
 */
export const placeOrder = ({ db, ...terms }: CheckoutDeps, request: OrderRequest): Promise<Placement> =>
  inTransaction(db, async (tx) => {
    const { payments, policy } = terms;
    const { orderId } = request;
    // The buyer's level permits it, and stays what it is until the balance is spent.
    if (request.usePartnerBalance) await lockUserStanding(tx, request.userId);
    const cartId = await lockCart(tx, request.userId, policy.cartDays);
    const before = await placementOf(tx, orderId);
    if (before) return before;
    requireInTime(request.notAfter);
    if (cartId === null) throw refusal('CART_EMPTY');

    const cartVersion = await lockGoods(tx, cartId);
    const draft = await draftOrder(tx, request, { policy, cartVersion });
    await redeemCoupons(tx, request.userId, draft);
    await reserveGoods(tx, request, draft);
    const payBy = payUntil(policy, { method: request.paymentMethod, placedAt: request.at, at: request.at });
    const restMinor = draft.price.totalMinor - draft.partnerBalanceMinor;
    const orderNumber = await writeDraft(tx, request, draft, payBy);
    const means = await openOfferedAttempt(tx, payments, {
      attemptId: request.attemptId,
      orderId,
      orderNumber,
      method: request.paymentMethod,
      attemptMinor: restMinor,
      currency: draft.currency,
      openedAt: request.at,
      expiresAt: payBy,
    });
    await emptyCart(tx, draft.cartId, new Date(request.at));
    const isSettled = request.paymentMethod === 'BALANCE' || restMinor === 0;
    if (isSettled || draft.partnerBalanceMinor > 0) await holdBalances(tx, request);
    // Chosen: an order that is paid at once is reported by the mail about its payment alone, which shows as much.
    if (!isSettled)
      await queuePlacedMail(tx, {
        ...{ orderId, orderNumber, draft, amountMinor: restMinor, payBy, means },
        accountHolder: payments.accountHolder,
      });
    return requirePlacement(tx, orderId);
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
      throw refusal('INVALID_COUPON', 'Some coupons cannot be used.', {
        couponCodes: [`${coupon.code} is used up`],
      });
  }
}

async function reserveGoods(tx: Tx, { orderId, at }: OrderRequest, { lines }: OrderDraft): Promise<void> {
  const amounts = lines.flatMap(({ stockItemId, quantity }) =>
    stockItemId === null ? [] : [{ stockItemId, quantity }],
  );
  const { short } = await reserveStock(tx, amounts, { orderId }, at);
  if (short.length > 0)
    throw insufficientStock(
      lines.filter((line) => line.stockItemId !== null && short.includes(line.stockItemId)),
    );
}

async function writeDraft(tx: Tx, request: OrderRequest, draft: OrderDraft, payBy: string): Promise<string> {
  const notes = request.noteId === null ? null : (await readNote(tx, request.noteId)).text;
  const { orderId, orderNumber, userId, paymentMethod, at } = request;
  const { shipping } = draft;
  return writeOrder(tx, {
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

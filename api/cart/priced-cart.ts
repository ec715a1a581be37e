import {
  cartLines,
  lockCart,
  pricedLine,
  type CartContents,
  type CartLine,
} from '../../db/commerce/cart/cart.reads';
import { openCart, rememberDiscounts, rememberPrices } from '../../db/commerce/cart/cart.writes';
import { cartCoupons, type LaidCoupon } from '../../db/commerce/coupon/coupon.reads';
import type { Policy } from '../../db/policy/config';
import type { Db, Tx } from '../../db/sql/query';
import { inTransaction } from '../../db/sql/transaction';
import { whyCouponFails } from '../../workflows/commerce/coupon/coupon.rules';
import { priceOrder, type OrderPrice } from '../../workflows/commerce/order/pricing.rules';

/** How long carts are kept. */
type Carts = Pick<Policy, 'cartDays'>;

/** A cart with what it costs at this moment. */
export interface PricedCart extends CartContents {
  /** Those of the cart's coupons that apply now; the others stay in the cart for when they do. */
  coupons: LaidCoupon[];
  price: OrderPrice;
  /** What each of the cart's coupons takes off now, where the buyer was last told something else. */
  newDiscounts: { couponId: string; discountMinor: number | null }[];
}

/** A user's cart at current prices, taxed as at home, without shipping; null for one who has none. */
export async function pricedCart(db: Db, userId: string, { cartDays }: Carts): Promise<PricedCart | null> {
  const cart = await cartLines(db, userId, cartDays);
  if (!cart) return null;
  const lines = cart.lines.map(pricedLine);
  const laid = cart.hasCoupons ? await cartCoupons(db, cart.cartId, userId) : [];
  const at = new Date();
  const coupons = laid.filter((coupon) => whyCouponFails(coupon, lines, at) === null);
  const price = priceOrder({ lines, coupons, taxRateBp: cart.homeTaxBp, shippingMinor: null });
  const discounts = new Map(coupons.map(({ id }, index) => [id, price.coupons[index]?.discountMinor]));
  const newDiscounts = laid
    .map(({ id, shownDiscountMinor }) => ({
      couponId: id,
      shownDiscountMinor,
      discountMinor: discounts.get(id) ?? null,
    }))
    .filter(({ shownDiscountMinor, discountMinor }) => shownDiscountMinor !== discountMinor);
  return { ...cart, coupons, price, newDiscounts };
}

/** The cart within a change that has opened it, and what it comes to, which the buyer is told. */
export async function pricedOpenCart(tx: Tx, userId: string, policy: Carts): Promise<PricedCart> {
  const cart = await pricedCart(tx, userId, policy);
  if (!cart) throw new Error('The cart that was just opened is gone.');
  if (cart.newDiscounts.length > 0) await rememberDiscounts(tx, cart.cartId, cart.newDiscounts);
  return cart;
}

/** The cart as the buyer is about to see it, whose prices are kept as those they were told. It is locked. */
export async function cartToShow(tx: Tx, userId: string, policy: Carts): Promise<PricedCart> {
  const cart = await pricedOpenCart(tx, userId, policy);
  const news = cart.lines.filter((line) => !isAsShown(line));
  await rememberPrices(
    tx,
    news.map((line) => ({ itemId: line.itemId, priceMinor: line.currentPriceMinor })),
  );
  return cart;
}

/** The same for one who only looks: most looks find a cart with nothing new in it, and then nothing is locked. */
export async function lookAtCart(db: Db, userId: string, policy: Carts): Promise<PricedCart> {
  const cart = await pricedCart(db, userId, policy);
  if (cart?.lines.every(isAsShown) && cart.newDiscounts.length === 0) return cart;
  return inTransaction(db, async (tx) => {
    const { cartDays } = policy;
    if ((await lockCart(tx, userId, cartDays)) === null) await openCart(tx, userId, new Date(), cartDays);
    return cartToShow(tx, userId, policy);
  });
}

const isAsShown = (line: CartLine): boolean => line.shownPriceMinor === line.currentPriceMinor;

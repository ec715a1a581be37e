import { cartLines, pricedLine, type CartContents, type CartLine } from '../../db/commerce/cart/cart.reads';
import { saveShownDiscounts, saveShownPrices } from '../../db/commerce/cart/cart.writes';
import { cartCoupons, type CouponOnCart } from '../../db/commerce/coupon/coupon.reads';
import type { Policy } from '../../db/policy/config';
import type { Db, Tx } from '../../db/sql/query';
import { whyCouponFails } from '../../workflows/commerce/coupon/coupon.rules';
import { priceOrder, type OrderPrice } from '../../workflows/commerce/order/pricing.rules';

/** The policy for the age of carts. */
export type CartPolicy = Pick<Policy, 'cartDays'>;

/** A cart with its current price. */
export interface PricedCart extends CartContents {
  /** The coupons that apply now; the others stay in the cart until they do. */
  coupons: CouponOnCart[];
  price: OrderPrice;
  /** The discount of each coupon whose last shown discount was another; null: it does not apply now. */
  newDiscounts: { couponId: string; discountMinor: number | null }[];
}

/** A user's cart at current prices, with the tax of the home country, without shipping; null without a cart. */
export async function pricedCart(
  db: Db,
  userId: string,
  { cartDays }: CartPolicy,
): Promise<PricedCart | null> {
  const cart = await cartLines(db, userId, cartDays);
  if (!cart) return null;
  const lines = cart.lines.map(pricedLine);
  const allCoupons = cart.hasCoupons ? await cartCoupons(db, cart.cartId, userId) : [];
  const at = new Date();
  const coupons = allCoupons.filter((coupon) => whyCouponFails(coupon, lines, at) === null);
  const price = priceOrder({ lines, coupons, taxRateBp: cart.homeTaxBp, shippingMinor: null });
  const discounts = new Map(coupons.map(({ id }, index) => [id, price.coupons[index]?.discountMinor]));
  const newDiscounts = allCoupons
    .map(({ id, shownDiscountMinor }) => ({
      couponId: id,
      shownDiscountMinor,
      discountMinor: discounts.get(id) ?? null,
    }))
    .filter(({ shownDiscountMinor, discountMinor }) => shownDiscountMinor !== discountMinor);
  return { ...cart, coupons, price, newDiscounts };
}

/** The cart in a transaction that has opened it. Its discounts are saved as shown, since the answer shows its total. */
export async function pricedOpenCart(tx: Tx, userId: string, policy: CartPolicy): Promise<PricedCart> {
  const cart = await pricedCart(tx, userId, policy);
  if (!cart) throw new Error('The cart that was just opened is gone.');
  if (cart.newDiscounts.length > 0) await saveShownDiscounts(tx, cart.cartId, cart.newDiscounts);
  return cart;
}

/** The locked cart for an answer that shows all of it: its prices and discounts are saved as shown. */
export async function cartToShow(tx: Tx, userId: string, policy: CartPolicy): Promise<PricedCart> {
  const cart = await pricedOpenCart(tx, userId, policy);
  const changed = cart.lines.filter((line) => !isAsShown(line));
  await saveShownPrices(
    tx,
    changed.map((line) => ({ itemId: line.itemId, priceMinor: line.currentPriceMinor })),
  );
  return cart;
}

/** True when the buyer has already seen the current price of the line. */
export const isAsShown = (line: CartLine): boolean => line.shownPriceMinor === line.currentPriceMinor;

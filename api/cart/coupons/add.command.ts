import { pricedLine } from '../../../db/commerce/cart/cart.reads';
import { openCart, insertCartCoupon } from '../../../db/commerce/cart/cart.writes';
import { couponsByCode } from '../../../db/commerce/coupon/coupon.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { whyCouponFails } from '../../../workflows/commerce/coupon/coupon.rules';
import { refusal } from '../../../workflows/errors';
import { cartToShow, pricedOpenCart, type CartPolicy, type PricedCart } from '../priced-cart';

/** Adds a coupon to a user's cart; one that is there already stays in its place. Refused: INVALID_COUPON. */
export function addCoupon(db: Db, userId: string, code: string, policy: CartPolicy): Promise<PricedCart> {
  return inTransaction(db, async (tx) => {
    const cartId = await openCart(tx, userId, new Date(), policy.cartDays);
    const [coupon] = await couponsByCode(tx, [code], userId);
    if (!coupon) throw refusal('INVALID_COUPON', 'No such coupon.');

    const { lines } = await pricedOpenCart(tx, userId, policy);
    const why = whyCouponFails(coupon, lines.map(pricedLine), new Date());
    if (why !== null) throw refusal('INVALID_COUPON', `This coupon ${why}.`);

    await insertCartCoupon(tx, cartId, coupon.id);
    return cartToShow(tx, userId, policy);
  });
}

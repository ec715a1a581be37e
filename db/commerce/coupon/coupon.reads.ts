import type { Attributes } from 'sequelize';
import type { CouponTerms } from '../../../workflows/commerce/coupon/coupon.rules';
import type { PricedCoupon } from '../../../workflows/commerce/order/pricing.rules';
import { rows, type Db } from '../../sql/query';
import type { CartCoupon } from '../cart/cart-coupon.model';
import type { Coupon as CouponModel } from './coupon.model';
import type { CouponUse } from './coupon-use.model';

/** A coupon with its terms for one buyer. */
export type Coupon = PricedCoupon & CouponTerms & { id: string };

/** A coupon of a cart. */
export type CouponOnCart = Coupon & {
  /** The discount that the buyer last saw; null when it was shown as not applying, or not shown yet. */
  shownDiscountMinor: Attributes<CartCoupon>['shownDiscountMinor'];
};

type CouponRow = CouponTerms &
  Pick<Attributes<CouponModel>, 'id' | 'code' | 'type'> & {
    percentageBp: number;
    amountMinor: number;
    usesByUser: Attributes<CouponUse>['uses'];
  };

const COUPON = `
  c.id, c.code, c.type, c.percentage_bp, c.amount_minor,
  c.product_ids, c.category_ids, c.is_active AND c.deleted_at IS NULL AS is_active,
  c.starts_at, c.ends_at, c.min_subtotal_minor,
  c.usage_limit, c.per_user_limit, c.used_count,
  coalesce(u.uses, 0) AS uses_by_user`;

/**
 * The coupons of these codes in any case, each once, in the order of the codes; unknown codes are left out. Counters are
 * the last committed ones: `redeemCoupon` guards the limits.
 */
export async function couponsByCode(db: Db, codes: readonly string[], userId: string): Promise<Coupon[]> {
  if (codes.length === 0) return [];
  const found = await rows<CouponRow>(
    db,
    `SELECT ${COUPON}
     FROM (SELECT upper(code) AS code, min(position) AS position
           FROM unnest($1::text[]) WITH ORDINALITY AS named (code, position) GROUP BY upper(code)) named
     JOIN coupons c ON c.code = named.code AND c.deleted_at IS NULL
     LEFT JOIN coupon_uses u ON u.coupon_id = c.id AND u.user_id = $2
     ORDER BY named.position`,
    [codes, userId],
  );
  return found.map(couponOf);
}

/** All coupons of a cart, including those that are deleted or do not apply now, in the order of their addition. */
export async function cartCoupons(db: Db, cartId: string, userId: string): Promise<CouponOnCart[]> {
  const found = await rows<CouponRow & Pick<CouponOnCart, 'shownDiscountMinor'>>(
    db,
    `SELECT ${COUPON}, cc.shown_discount_minor
     FROM cart_coupons cc
     JOIN coupons c ON c.id = cc.coupon_id
     LEFT JOIN coupon_uses u ON u.coupon_id = c.id AND u.user_id = $2
     WHERE cc.cart_id = $1
     ORDER BY cc.added_at, c.id`,
    [cartId, userId],
  );
  return found.map(({ shownDiscountMinor, ...row }) => ({ ...couponOf(row), shownDiscountMinor }));
}

/** A CHECK guarantees that a coupon has the value of its type only. */
function couponOf({ type, percentageBp, amountMinor, ...rest }: CouponRow): Coupon {
  return type === 'PERCENTAGE' ? { ...rest, type, percentageBp } : { ...rest, type, amountMinor };
}

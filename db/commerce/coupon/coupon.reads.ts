import type { CouponTerms } from '../../../workflows/commerce/coupon/coupon.rules';
import type { CouponValue, PricedCoupon } from '../../../workflows/commerce/order/pricing.rules';
import { rows, type Db } from '../../sql/query';

/** A coupon as one buyer meets it. */
export type Coupon = PricedCoupon & CouponTerms & { id: string };

/** A coupon that lies on a cart. */
export type LaidCoupon = Coupon & {
  /** What the buyer was last told it takes off; null when they were told that it does not apply, or nothing yet. */
  shownDiscountMinor: number | null;
};

type CouponRow = CouponTerms & {
  id: string;
  code: string;
  type: CouponValue['type'];
  percentageBp: number;
  amountMinor: number;
};

const COUPON = `
  c.id, c.code, c.type, c.percentage_bp, c.amount_minor,
  c.product_ids, c.category_ids, c.is_active AND c.deleted_at IS NULL AS is_active,
  c.starts_at, c.ends_at, c.min_subtotal_minor,
  c.usage_limit, c.per_user_limit, c.used_count,
  coalesce(u.uses, 0) AS uses_by_user`;

/**
 * The coupons behind these codes, case-insensitively, each once, in the order given; unknown codes are left out. Their
 * counters are as last committed: who redeems must guard the limits by conditional updates.
 */
export async function couponsByCode(db: Db, codes: readonly string[], userId: string): Promise<Coupon[]> {
  if (codes.length === 0) return [];
  const found = await rows<CouponRow>(
    db,
    `SELECT ${COUPON}
     FROM (SELECT upper(code) AS code, min(position) AS position
           FROM unnest($1::text[]) WITH ORDINALITY AS given (code, position) GROUP BY upper(code)) given
     JOIN coupons c ON c.code = given.code AND c.deleted_at IS NULL
     LEFT JOIN coupon_uses u ON u.coupon_id = c.id AND u.user_id = $2
     ORDER BY given.position`,
    [codes, userId],
  );
  return found.map(couponOf);
}

/** The coupons laid on a cart, also deleted ones, whether or not they apply now, in the order in which they were laid. */
export async function cartCoupons(db: Db, cartId: string, userId: string): Promise<LaidCoupon[]> {
  const found = await rows<CouponRow & Pick<LaidCoupon, 'shownDiscountMinor'>>(
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

/** A CHECK holds that each type has its own value and not the other's. */
function couponOf({ type, percentageBp, amountMinor, ...rest }: CouponRow): Coupon {
  return type === 'PERCENTAGE' ? { ...rest, type, percentageBp } : { ...rest, type, amountMinor };
}

import type { Attributes } from 'sequelize';
import { execute, firstRow, rows, type Tx } from '../../sql/query';
import type { Coupon } from './coupon.model';
import type { OrderCoupon } from './order-coupon.model';

/**
 * Counts one use of a coupon by a user; false when a limit is reached. Both counters are conditional updates, so
 * concurrent buyers cannot exceed the limits.
 */
export async function redeemCoupon(tx: Tx, couponId: string, userId: string): Promise<boolean> {
  const coupon = await firstRow<Pick<Attributes<Coupon>, 'perUserLimit'>>(
    tx,
    `UPDATE coupons SET used_count = used_count + 1
     WHERE id = $1 AND is_active AND deleted_at IS NULL AND (usage_limit IS NULL OR used_count < usage_limit)
     RETURNING per_user_limit`,
    [couponId],
  );
  if (!coupon) return false;
  const used = await execute(
    tx,
    `INSERT INTO coupon_uses (coupon_id, user_id, uses) VALUES ($1, $2, 1)
     ON CONFLICT ON CONSTRAINT coupon_uses_pkey DO UPDATE SET uses = coupon_uses.uses + 1
     WHERE $3::int IS NULL OR coupon_uses.uses < $3::int`,
    [couponId, userId, coupon.perUserLimit],
  );
  return used === 1;
}

/** Returns the uses of an order's coupons, once. */
export async function returnCoupons(tx: Tx, orderId: string, userId: string, at: string): Promise<void> {
  const returned = await rows<Pick<Attributes<OrderCoupon>, 'couponId'>>(
    tx,
    `UPDATE order_coupons SET returned_at = $2 WHERE order_id = $1 AND returned_at IS NULL
     RETURNING coupon_id`,
    [orderId, at],
  );
  const couponIds = returned.map((coupon) => coupon.couponId).sort();
  for (const couponId of couponIds) {
    await execute(tx, `UPDATE coupons SET used_count = used_count - 1 WHERE id = $1`, [couponId]);
    await execute(tx, `UPDATE coupon_uses SET uses = uses - 1 WHERE coupon_id = $1 AND user_id = $2`, [
      couponId,
      userId,
    ]);
  }
}

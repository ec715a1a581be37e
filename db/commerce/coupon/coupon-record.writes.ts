import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import type { CouponRecord } from './coupon-record.reads';
import { Coupon } from './coupon.model';

/** Adds a coupon. Violates `coupons_live_code_key` where another coupon has the code. */
export async function insertCoupon(tx: Tx, coupon: CouponRecord): Promise<void> {
  await table(tx, Coupon).insert(coupon);
}

/** Changes a locked coupon; its number of uses stays. Violates `coupons_live_code_key` as above. */
export async function updateCoupon(
  tx: Tx,
  id: string,
  { usedCount: _uses, ...fields }: Omit<CouponRecord, 'id' | 'createdAt' | 'updatedAt'>,
  at: Date,
): Promise<void> {
  await table(tx, Coupon).update({ ...fields, updatedAt: at }, { id });
}

export async function markCouponDeleted(tx: Tx, id: string, at: Date): Promise<void> {
  await table(tx, Coupon).update({ deletedAt: at, updatedAt: at }, { id });
}

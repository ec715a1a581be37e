import { audited } from '../../../db/administration/audit/audit.writes';
import { markCouponDeleted } from '../../../db/commerce/coupon/coupon-record.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { requireCoupon } from './coupon-settings';

/** Deletes a coupon for good; orders that used it keep their discount. Refused: COUPON_NOT_FOUND. */
export function removeCoupon(db: Db, id: string, by: Actor): Promise<void> {
  return inTransaction(db, async (tx) => {
    const coupon = await requireCoupon(tx, id);
    const at = new Date();
    await markCouponDeleted(tx, id, at);
    await audited(
      tx,
      { ...by, at },
      'coupon.delete',
      id,
      { code: coupon.code, deletedAt: null },
      { deletedAt: at },
    );
  });
}

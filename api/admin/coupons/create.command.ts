import { audited } from '../../../db/administration/audit/audit.writes';
import { lockCouponRecord, type CouponRecord } from '../../../db/commerce/coupon/coupon-record.reads';
import { insertCoupon } from '../../../db/commerce/coupon/coupon-record.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { couponFields, requireScope, withUniqueCode, type CouponSettings } from './coupon-settings';

/**
 * Makes a coupon; the same id again returns the coupon that exists. Refused: CODE_ALREADY_EXISTS; VALIDATION_ERROR for
 * settings that contradict each other and for a scope of unknown goods.
 */
export function createCoupon(db: Db, id: string, settings: CouponSettings, by: Actor): Promise<CouponRecord> {
  return withUniqueCode(async () =>
    inTransaction(db, async (tx) => {
      const existing = await lockCouponRecord(tx, id);
      if (existing) return existing;
      const at = new Date();
      const fields = couponFields(settings, 0);
      await requireScope(tx, fields, { productIds: [], categoryIds: [] });
      const coupon = { ...fields, id, createdAt: at, updatedAt: at };
      await insertCoupon(tx, coupon);
      await audited(tx, { ...by, at }, 'coupon.create', id, null, fields);
      return coupon;
    }),
  );
}

import { audited } from '../../../db/administration/audit/audit.writes';
import { changedFields } from '../../../db/administration/audit/changed-fields';
import type { CouponRecord } from '../../../db/commerce/coupon/coupon-record.reads';
import { updateCoupon } from '../../../db/commerce/coupon/coupon-record.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import {
  couponFields,
  requireCoupon,
  requireScope,
  settingsOf,
  withUniqueCode,
  type CouponSettings,
} from './coupon-settings';
import { invalid } from '../../http/validation/validation';

/**
 * Changes the settings that are sent. Refused: COUPON_NOT_FOUND, CODE_ALREADY_EXISTS, VALIDATION_ERROR as on creation.
 * Changes that make no difference are not recorded.
 */
export function changeCoupon(
  db: Db,
  id: string,
  changes: Partial<CouponSettings>,
  by: Actor,
): Promise<CouponRecord> {
  return withUniqueCode(async () =>
    inTransaction(db, async (tx) => {
      const before = await requireCoupon(tx, id);
      if (changes.type !== undefined && changes.type !== before.type && changes.value === undefined)
        throw invalid({ value: ['is required with another type'] });
      const fields = couponFields({ ...settingsOf(before), ...changes }, before.usedCount);
      const after = { ...before, ...fields };
      const changed = changedFields(before, after);
      if (!changed) return before;
      await requireScope(tx, fields, before);
      // Read while the coupon is locked: every order after this moment is held to the new settings.
      const at = new Date();
      await updateCoupon(tx, id, fields, at);
      await audited(tx, { ...by, at }, 'coupon.update', id, before, after);
      return { ...after, updatedAt: at };
    }),
  );
}

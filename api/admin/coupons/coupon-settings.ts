import {
  lockCouponRecord,
  unknownScope,
  type CouponRecord,
} from '../../../db/commerce/coupon/coupon-record.reads';
import { violates } from '../../../db/sql/errors';
import type { Tx } from '../../../db/sql/query';
import {
  couponContradictions,
  couponValue,
  writtenValue,
} from '../../../workflows/commerce/coupon/coupon.rules';
import { businessRefusal, refusal } from '../../../workflows/errors';
import { invalid } from '../../http/validation/validation';

/** The columns that administrators decide, and the number of uses, which limits what they may decide. */
type CouponFields = Omit<CouponRecord, 'id' | 'createdAt' | 'updatedAt'>;

/** A coupon as an administrator sets it. */
export interface CouponSettings extends Omit<CouponFields, 'percentageBp' | 'amountMinor' | 'usedCount'> {
  /** A percentage, or an amount in major units. */
  value: number;
}

/** The coupon, locked against redemption and change. Refused: COUPON_NOT_FOUND. */
export async function requireCoupon(tx: Tx, id: string): Promise<CouponRecord> {
  const coupon = await lockCouponRecord(tx, id);
  if (!coupon) throw refusal('COUPON_NOT_FOUND');
  return coupon;
}

/** Runs a change of a coupon. Refused: CODE_ALREADY_EXISTS. */
export async function withUniqueCode<Result>(change: () => Promise<Result>): Promise<Result> {
  try {
    return await change();
  } catch (error) {
    if (violates(error, 'coupons_live_code_key')) throw refusal('CODE_ALREADY_EXISTS');
    throw error;
  }
}

/** The settings of a coupon that exists. */
export function settingsOf(coupon: CouponRecord): CouponSettings {
  const {
    id: _id,
    percentageBp: _percentage,
    amountMinor: _amount,
    usedCount: _uses,
    createdAt: _created,
    updatedAt: _updated,
    ...settings
  } = coupon;
  return { ...settings, value: writtenValue(coupon) };
}

/** The settings as columns. Refused: VALIDATION_ERROR for settings that contradict each other. */
export function couponFields({ value, ...settings }: CouponSettings, usedCount: number): CouponFields {
  const valued = couponValue(settings.type, value);
  const wrong = couponContradictions({ ...settings, usedCount });
  if (!valued) wrong['value'] = ['must be at most 100 percent'];
  if (!valued || Object.keys(wrong).length > 0) throw invalid(wrong);
  return {
    ...settings,
    productIds: [...new Set(settings.productIds)],
    categoryIds: [...new Set(settings.categoryIds)],
    percentageBp: valued.type === 'PERCENTAGE' ? valued.percentageBp : null,
    amountMinor: valued.type === 'FIXED' ? valued.amountMinor : null,
    usedCount,
  };
}

type Scope = Pick<CouponFields, 'productIds' | 'categoryIds'>;

/**
 * Refuses ids that name no product or category: VALIDATION_ERROR. Ids that the coupon had before may stay, although
 * their product or category may be deleted since.
 */
export async function requireScope(tx: Tx, scope: Scope, before: Scope): Promise<void> {
  const unknown = await unknownScope(tx, {
    productIds: scope.productIds.filter((id) => !before.productIds.includes(id)),
    categoryIds: scope.categoryIds.filter((id) => !before.categoryIds.includes(id)),
  });
  const reasons = (ids: string[], kind: string) => ids.map((id) => `${id} is not a ${kind}`);
  const wrong = {
    ...(unknown.productIds.length > 0 && { productIds: reasons(unknown.productIds, 'product') }),
    ...(unknown.categoryIds.length > 0 && { categoryIds: reasons(unknown.categoryIds, 'category') }),
  };
  if (Object.keys(wrong).length > 0)
    throw businessRefusal(
      'COUPON_SCOPE_UNKNOWN',
      'Some products or categories of the coupon do not exist.',
      wrong,
    );
}

import {
  couponContradictions,
  couponValue,
  writtenValue,
} from '../../../workflows/commerce/coupon/coupon.rules';
import { refusal, type RefusalDetails } from '../../../workflows/errors';
import { changedFields } from '../../administration/audit/changed-fields';
import { recordAudit, type Change } from '../../administration/audit/audit.writes';
import { violates } from '../../sql/errors';
import { execute, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { lockCouponRecord, unknownScope, type CouponRecord } from './coupon-record.reads';

/** Who changes something, and from where. */
type Actor = Pick<Change, 'actorId' | 'clientAddress'>;

type Fields = Omit<CouponRecord, 'id' | 'createdAt' | 'updatedAt'>;

/** What an administrator sets of a coupon. */
export interface CouponSettings extends Omit<Fields, 'percentageBp' | 'amountMinor' | 'usedCount'> {
  /** A percentage, or an amount in major units. */
  value: number;
}

/**
 * Makes a coupon; the same id made again is answered with what is there. Refused: CODE_ALREADY_EXISTS, and
 * VALIDATION_ERROR for what does not go together or names goods that are not there.
 */
export function createCoupon(db: Db, id: string, settings: CouponSettings, by: Actor): Promise<CouponRecord> {
  return unlessCodeIsTaken(async () =>
    inTransaction(db, async (tx) => {
      const already = await lockCouponRecord(tx, id);
      if (already) return already;
      const at = new Date();
      const fields = fieldsOf(settings, 0);
      await requireScope(tx, fields, { productIds: [], categoryIds: [] });
      await insert(tx, id, fields, at);
      await recordAudit(tx, {
        ...by,
        ...entity(id),
        action: 'coupon.create',
        previous: null,
        next: fields,
        at,
      });
      return { ...fields, id, createdAt: at, updatedAt: at };
    }),
  );
}

/** Changes what is given of a coupon; null when there is none. Refused as `createCoupon`; no change leaves no trace. */
export function changeCoupon(
  db: Db,
  id: string,
  changes: Partial<CouponSettings>,
  by: Actor,
): Promise<CouponRecord | null> {
  return unlessCodeIsTaken(async () =>
    inTransaction(db, async (tx) => {
      const before = await lockCouponRecord(tx, id);
      if (!before) return null;
      if (changes.type !== undefined && changes.type !== before.type && changes.value === undefined)
        throw wrongFields({ value: ['must be given with another type'] });
      const fields = fieldsOf({ ...settingsOf(before), ...changes }, before.usedCount);
      const after = { ...before, ...fields };
      const changed = changedFields(before, after);
      if (!changed) return before;
      await requireScope(tx, fields, before);
      // Taken now that the coupon is locked: orders from here on are held to what it then says.
      const at = new Date();
      await update(tx, id, fields, at);
      await recordAudit(tx, { ...by, ...entity(id), action: 'coupon.update', ...changed, at });
      return { ...after, updatedAt: at };
    }),
  );
}

/** Takes a coupon out of the shop for good; whether there was one. Orders that used it keep what it took off. */
export function deleteCoupon(db: Db, id: string, by: Actor): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const coupon = await lockCouponRecord(tx, id);
    if (!coupon) return false;
    const at = new Date();
    await execute(tx, 'UPDATE coupons SET deleted_at = $2, updated_at = $2 WHERE id = $1', [id, at]);
    const previous = { code: coupon.code, deletedAt: null };
    const next = { deletedAt: at };
    await recordAudit(tx, { ...by, ...entity(id), action: 'coupon.delete', previous, next, at });
    return true;
  });
}

const entity = (id: string) => ({ entityType: 'coupon', entityId: id });

const wrongFields = (details: RefusalDetails): Error =>
  refusal('VALIDATION_ERROR', 'The coupon is not valid.', details);

async function unlessCodeIsTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violates(error, 'coupons_live_code_key'))
      throw refusal('CODE_ALREADY_EXISTS', 'Another coupon has this code.');
    throw error;
  }
}

function settingsOf(coupon: CouponRecord): CouponSettings {
  const { code, type, minSubtotalMinor, startsAt, endsAt } = coupon;
  const { usageLimit, perUserLimit, productIds, categoryIds, isActive } = coupon;
  return {
    ...{ code, type, value: writtenValue(coupon), minSubtotalMinor, startsAt, endsAt },
    ...{ usageLimit, perUserLimit, productIds, categoryIds, isActive },
  };
}

/** The settings as columns have them. Refused when they do not go together. */
function fieldsOf({ value, ...settings }: CouponSettings, usedCount: number): Fields {
  const valued = couponValue(settings.type, value);
  const wrong = couponContradictions({ ...settings, usedCount });
  if (!valued) wrong['value'] = ['must be at most 100 percent'];
  if (!valued || Object.keys(wrong).length > 0) throw wrongFields(wrong);
  return {
    ...settings,
    productIds: [...new Set(settings.productIds)],
    categoryIds: [...new Set(settings.categoryIds)],
    percentageBp: valued.type === 'PERCENTAGE' ? valued.percentageBp : null,
    amountMinor: valued.type === 'FIXED' ? valued.amountMinor : null,
    usedCount,
  };
}

type Scope = Pick<Fields, 'productIds' | 'categoryIds'>;

/** What the coupon named before may have gone since, and may stay named; what is new must be there. */
async function requireScope(tx: Tx, scope: Scope, before: Scope): Promise<void> {
  const unknown = await unknownScope(tx, {
    productIds: scope.productIds.filter((id) => !before.productIds.includes(id)),
    categoryIds: scope.categoryIds.filter((id) => !before.categoryIds.includes(id)),
  });
  const saying = (ids: string[], what: string) => ids.map((id) => `${id} is no ${what}`);
  const wrong = {
    ...(unknown.productIds.length > 0 && { productIds: saying(unknown.productIds, 'product') }),
    ...(unknown.categoryIds.length > 0 && { categoryIds: saying(unknown.categoryIds, 'category') }),
  };
  if (Object.keys(wrong).length > 0) throw wrongFields(wrong);
}

async function insert(tx: Tx, id: string, fields: Fields, at: Date): Promise<void> {
  await execute(
    tx,
    `INSERT INTO coupons (code, type, percentage_bp, amount_minor, min_subtotal_minor, starts_at, ends_at, usage_limit,
       per_user_limit, product_ids, category_ids, is_active, updated_at, created_at, id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13, $14)`,
    [...columns(fields), at, id],
  );
}

async function update(tx: Tx, id: string, fields: Fields, at: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE coupons SET code = $1, type = $2, percentage_bp = $3, amount_minor = $4, min_subtotal_minor = $5,
       starts_at = $6, ends_at = $7, usage_limit = $8, per_user_limit = $9, product_ids = $10, category_ids = $11,
       is_active = $12, updated_at = $13 WHERE id = $14`,
    [...columns(fields), at, id],
  );
}

const columns = (fields: Fields): unknown[] => [
  fields.code,
  fields.type,
  fields.percentageBp,
  fields.amountMinor,
  fields.minSubtotalMinor,
  fields.startsAt,
  fields.endsAt,
  fields.usageLimit,
  fields.perUserLimit,
  fields.productIds,
  fields.categoryIds,
  fields.isActive,
];

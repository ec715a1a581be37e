import type { Attributes } from 'sequelize';
import type { CouponValue } from '../../../workflows/commerce/order/pricing.rules';
import { firstRow, rows, type Db, type Tx } from '../../sql/query';
import type { Coupon } from './coupon.model';

/** A coupon as administrators see it. */
export type CouponRecord = Omit<Attributes<Coupon>, 'deletedAt'>;

/** Conditions on coupons; one that is left out does not narrow. */
interface CouponFilter {
  /** A part of the code, in upper or lower case. */
  search?: string | undefined;
  type?: CouponValue['type'] | undefined;
  isActive?: boolean | undefined;
  /** As `isUsable` decides at `at`. */
  usable?: boolean | undefined;
  at: Date;
}

const RECORD = `
  c.id, c.code, c.type, c.percentage_bp, c.amount_minor,
  c.min_subtotal_minor, c.starts_at, c.ends_at,
  c.usage_limit, c.per_user_limit, c.product_ids,
  c.category_ids, c.is_active, c.used_count,
  c.created_at, c.updated_at`;

/** One page of the coupons that are not deleted, newest first; `total` counts all that fit the filter. */
export async function listCoupons(
  db: Db,
  { search, type, isActive, usable, at }: CouponFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; coupons: CouponRecord[] }> {
  const bind = [search ?? null, type ?? null, isActive ?? null, usable ?? null, at];
  const where = `c.deleted_at IS NULL AND ($1::text IS NULL OR position(upper($1) IN c.code) > 0)
    AND ($2::text IS NULL OR c.type = $2) AND ($3::boolean IS NULL OR c.is_active = $3)
    AND ($4::boolean IS NULL OR $4 = (c.is_active AND (c.starts_at IS NULL OR c.starts_at <= $5)
      AND (c.ends_at IS NULL OR c.ends_at > $5) AND (c.usage_limit IS NULL OR c.used_count < c.usage_limit)))`;
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM coupons c WHERE ${where}`,
    bind,
  );
  const coupons = await rows<CouponRecord>(
    db,
    `SELECT ${RECORD} FROM coupons c WHERE ${where} ORDER BY c.created_at DESC, c.id DESC LIMIT $6 OFFSET $7`,
    [...bind, limit, offset],
  );
  return { total: counted?.total ?? 0, coupons };
}

/** A coupon, locked against redemption and change until the transaction ends; null for an unknown or deleted one. */
export function lockCouponRecord(tx: Tx, id: string): Promise<CouponRecord | null> {
  return firstRow<CouponRecord>(
    tx,
    `SELECT ${RECORD} FROM coupons c WHERE c.id = $1 AND c.deleted_at IS NULL FOR NO KEY UPDATE`,
    [id],
  );
}

/** The ids that name no product, and those that name no category. */
export async function unknownScope(
  db: Db,
  { productIds, categoryIds }: { productIds: readonly string[]; categoryIds: readonly string[] },
): Promise<{ productIds: string[]; categoryIds: string[] }> {
  const found = await firstRow<{ productIds: string[]; categoryIds: string[] }>(
    db,
    `SELECT ARRAY(SELECT id FROM unnest($1::uuid[]) AS named (id)
         WHERE NOT EXISTS (SELECT 1 FROM products p WHERE p.id = named.id)) AS product_ids,
       ARRAY(SELECT id FROM unnest($2::uuid[]) AS named (id)
         WHERE NOT EXISTS (SELECT 1 FROM categories c WHERE c.id = named.id)) AS category_ids`,
    [productIds, categoryIds],
  );
  return found ?? { productIds: [], categoryIds: [] };
}

import { lockVariant, type VariantRecord } from '../../../../db/catalog/variant/variant.reads';
import type { Tx } from '../../../../db/sql/query';
import { refusal } from '../../../../workflows/errors';

/** The path of one variant. */
export interface VariantKey {
  productId: string;
  variantId: string;
}

/** Locks a variant as `lockVariant` does; refused with VARIANT_NOT_FOUND if the product does not have it. */
export async function requireVariant(tx: Tx, key: VariantKey): Promise<VariantRecord> {
  const variant = await lockVariant(tx, key);
  if (!variant) throw noSuchVariant();
  return variant;
}

export const noSuchVariant = (): Error => refusal('VARIANT_NOT_FOUND');

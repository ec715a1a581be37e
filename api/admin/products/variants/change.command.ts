import { isSameSku } from '../../../../db/catalog/product/unique-names.writes';
import { audited } from '../../../../db/administration/audit/audit.writes';
import { changedFields } from '../../../../db/administration/audit/changed-fields';
import { inOrder } from '../../../../db/catalog/product/administered-product.reads';
import { touchProduct } from '../../../../db/catalog/product/administered-product.writes';
import { countStock, lockStock } from '../../../../db/catalog/stock/stock-adjustment.writes';
import type { VariantRecord } from '../../../../db/catalog/variant/variant.reads';
import { updateVariant } from '../../../../db/catalog/variant/variant.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { invalid } from '../../../http/validation/validation';
import type { Actor } from '../../actor';
import { requireFreeSku, requireProduct } from '../product.requirements';
import type { StoredVariant } from './add.command';
import { requireVariant, type VariantKey } from './variant.requirements';

/** Changes of a variant. No stock (null) is what a product shows whose stock is not tracked, and changes nothing. */
export type VariantChanges = Partial<Omit<VariantRecord, 'id' | 'stockQuantity'>> & {
  stockQuantity?: number | null;
};

/**
 * Sets the given fields of a variant; without a difference nothing is written. Refused: PRODUCT_NOT_FOUND,
 * VARIANT_NOT_FOUND, SKU_ALREADY_EXISTS, VALIDATION_ERROR for no stock of a product whose stock is tracked.
 */
export function changeVariant(
  db: Db,
  key: VariantKey,
  { stockQuantity, ...others }: VariantChanges,
  by: Actor,
): Promise<StoredVariant> {
  const { productId, variantId } = key;
  const changes = { ...others, ...(typeof stockQuantity === 'number' && { stockQuantity }) };
  return inTransaction(db, async (tx) => {
    if (changes.stockQuantity !== undefined) await lockStock(tx, key);
    const product = await requireProduct(tx, productId);
    if (stockQuantity === null && product.trackInventory)
      throw invalid({ stockQuantity: ['must be a number, since the stock of the product is tracked'] });
    const before = await requireVariant(tx, key);
    const after = { ...before, ...changes };
    const changed = changedFields(inOrder(before), inOrder(after));
    if (!changed) return { ...before, product, changedAt: product.updatedAt };
    const at = new Date();
    if (!(await isSameSku(tx, after.sku, before.sku))) await requireFreeSku(tx, after.sku);
    await updateVariant(tx, variantId, after);
    if (changes.stockQuantity !== undefined) await countStock(tx, key, changes.stockQuantity, { ...by, at });
    await touchProduct(tx, productId, at);
    await audited(tx, { ...by, at }, 'product.update-variant', productId, changed.previous, changed.next, {
      variantId,
    });
    return { ...after, product, changedAt: at };
  });
}

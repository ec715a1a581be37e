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
import type { Actor } from '../../actor';
import { requireFreeSku, requireProduct } from '../product.requirements';
import type { StoredVariant } from './add.command';
import { requireVariant, type VariantKey } from './variant.requirements';

/**
 * Sets the given fields of a variant; without a difference nothing is written. Refused: PRODUCT_NOT_FOUND,
 * VARIANT_NOT_FOUND, SKU_ALREADY_EXISTS.
 */
export function changeVariant(
  db: Db,
  key: VariantKey,
  changes: Partial<Omit<VariantRecord, 'id'>>,
  by: Actor,
): Promise<StoredVariant> {
  const { productId, variantId } = key;
  return inTransaction(db, async (tx) => {
    if (changes.stockQuantity !== undefined) await lockStock(tx, key);
    const product = await requireProduct(tx, productId);
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

import { isSameSku } from '../../../db/catalog/product/unique-names.writes';
import { audited } from '../../../db/administration/audit/audit.writes';
import { changedFields } from '../../../db/administration/audit/changed-fields';
import {
  inOrder,
  type StoredProduct,
  type ProductRecord,
} from '../../../db/catalog/product/administered-product.reads';
import { updateProduct } from '../../../db/catalog/product/administered-product.writes';
import { countStock, lockStock } from '../../../db/catalog/stock/stock-adjustment.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { refusingUnknownCategory, requireFreeSku, requireProduct } from './product.requirements';

/** The fields to set. `stockQuantity` is the product's own stock, without its variants; left out, it stays. */
export type ProductChanges = Partial<ProductRecord> & { stockQuantity?: number };

type ChangedFields = Partial<ProductRecord> & { stockQuantity?: number | null };

export interface ChangedProduct extends StoredProduct {
  /** The changed fields before and after; null if the product already was as requested. */
  changes: { previous: ChangedFields; next: ChangedFields } | null;
}

/**
 * Sets the given fields of a product, so that two changes at once both take effect; without a difference nothing is
 * written. Refused: PRODUCT_NOT_FOUND, SKU_ALREADY_EXISTS, VALIDATION_ERROR for an unknown category. Chosen: the slug
 * stays when the name changes, so that links hold.
 */
export function changeProduct(
  db: Db,
  id: string,
  { stockQuantity, ...changes }: ProductChanges,
  by: Actor,
): Promise<ChangedProduct> {
  const goods = { productId: id, variantId: null };
  return refusingUnknownCategory(
    inTransaction(db, async (tx) => {
      if (stockQuantity !== undefined) await lockStock(tx, goods);
      const before = await requireProduct(tx, id);
      const at = new Date();
      const fields = changedFields(inOrder(before), inOrder({ ...before, ...changes }));
      const { sku } = fields?.next ?? {};
      if (sku !== undefined && !(await isSameSku(tx, sku, before.sku))) await requireFreeSku(tx, sku);
      const counted =
        stockQuantity === undefined ? null : await countStock(tx, goods, stockQuantity, { ...by, at });
      const recounted = stockQuantity !== undefined && counted !== stockQuantity;
      if (!fields && !recounted) return { ...before, changes: null };
      await updateProduct(tx, id, fields?.next ?? {}, at);
      const changed = {
        previous: { ...fields?.previous, ...(recounted && { stockQuantity: counted }) },
        next: { ...fields?.next, ...(recounted && { stockQuantity }) },
      };
      await audited(tx, { ...by, at }, 'product.update', id, changed.previous, changed.next);
      return { ...before, ...fields?.next, updatedAt: at, changes: changed };
    }),
  );
}

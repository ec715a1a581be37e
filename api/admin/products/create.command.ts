import { audited } from '../../../db/administration/audit/audit.writes';
import {
  lockProduct,
  type StoredProduct,
  type ProductRecord,
} from '../../../db/catalog/product/administered-product.reads';
import { insertProduct } from '../../../db/catalog/product/administered-product.writes';
import { freeSlug } from '../../../db/catalog/product/unique-names.writes';
import { countStock } from '../../../db/catalog/stock/stock-adjustment.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { refusingUnknownCategory, requireFreeSku } from './product.requirements';

/** A new product; without `stockQuantity` its stock is not counted. */
export type NewProduct = ProductRecord & { stockQuantity?: number };

/**
 * Creates a product with a slug of its own; creating the same id again returns the product that exists. Refused:
 * SKU_ALREADY_EXISTS, and VALIDATION_ERROR for an unknown category.
 */
export function createProduct(
  db: Db,
  id: string,
  { stockQuantity, ...product }: NewProduct,
  by: Actor,
): Promise<StoredProduct> {
  return refusingUnknownCategory(
    inTransaction(db, async (tx) => {
      const existing = await lockProduct(tx, id);
      if (existing) return existing;
      const slug = await freeSlug(tx, product.name, id);
      await requireFreeSku(tx, product.sku);
      const at = new Date();
      await insertProduct(tx, { id, slug, createdAt: at, ...product });
      if (stockQuantity !== undefined)
        await countStock(tx, { productId: id, variantId: null }, stockQuantity, { ...by, at });
      const created = await lockProduct(tx, id);
      if (!created) throw new Error(`Product ${id} was inserted and cannot be read.`);
      await audited(tx, { ...by, at }, 'product.create', id, null, {
        ...product,
        slug,
        ...(stockQuantity !== undefined && { stockQuantity }),
      });
      return created;
    }),
  );
}

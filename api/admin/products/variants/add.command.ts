import { audited } from '../../../../db/administration/audit/audit.writes';
import type { StoredProduct } from '../../../../db/catalog/product/administered-product.reads';
import { touchProduct } from '../../../../db/catalog/product/administered-product.writes';
import { countStock } from '../../../../db/catalog/stock/stock-adjustment.writes';
import { lockVariant, variantsOf, type VariantRecord } from '../../../../db/catalog/variant/variant.reads';
import { insertVariant } from '../../../../db/catalog/variant/variant.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { businessRefusal } from '../../../../workflows/errors';
import type { Actor } from '../../actor';
import { requireFreeSku, requireProduct } from '../product.requirements';
import type { VariantKey } from './variant.requirements';

/** All of them are shown on one page. */
export const MOST_VARIANTS = 100;

/** A variant with its product, and when either last changed. */
export interface StoredVariant extends VariantRecord {
  product: StoredProduct;
  changedAt: Date;
}

export interface NewVariant {
  sku: string;
  /** Null: made from its attributes. */
  name: string | null;
  /** Null: the price of the product. */
  priceMinor: number | null;
  attributes: Record<string, string>;
  /** Null: not counted. */
  stockQuantity: number | null;
}

/**
 * Adds a variant to a product; adding the same id again returns the variant that exists. Refused: PRODUCT_NOT_FOUND,
 * SKU_ALREADY_EXISTS, and VALIDATION_ERROR for more variants than a page can show.
 */
export function addVariant(
  db: Db,
  { productId, variantId }: VariantKey,
  { stockQuantity, ...request }: NewVariant,
  by: Actor,
): Promise<StoredVariant> {
  return inTransaction(db, async (tx) => {
    const product = await requireProduct(tx, productId);
    const at = new Date();
    const existing = await lockVariant(tx, { productId, variantId });
    if (existing) return { ...existing, product, changedAt: product.updatedAt };
    const { count, lastPosition } = await variantsOf(tx, productId);
    if (count >= MOST_VARIANTS)
      throw businessRefusal('TOO_MANY_VARIANTS', `A product can have at most ${MOST_VARIANTS} variants.`);
    await requireFreeSku(tx, request.sku);
    const variant = {
      name: request.name ?? (Object.values(request.attributes).join(' / ') || request.sku),
      sku: request.sku,
      priceMinor: request.priceMinor ?? product.priceMinor,
      attributes: request.attributes,
    };
    const position = (lastPosition ?? -1) + 1;
    await insertVariant(tx, { productId, variantId }, { ...variant, position, createdAt: at });
    if (stockQuantity !== null) await countStock(tx, { productId, variantId }, stockQuantity, { ...by, at });
    await touchProduct(tx, productId, at);
    const added = { id: variantId, ...variant, stockQuantity: stockQuantity ?? 0 };
    await audited(tx, { ...by, at }, 'product.add-variant', productId, null, added);
    return { ...added, product, changedAt: at };
  });
}

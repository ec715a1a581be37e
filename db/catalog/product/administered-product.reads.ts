import { firstRow, type Db, type Tx } from '../../sql/query';
import type { ProductStatus } from './shop-product-filter.reads';

/** All that an administrator sets of a product. Amounts in minor units, percentages in basis points. */
export interface ProductRecord {
  name: string;
  description: string;
  shortDescription: string | null;
  priceMinor: number;
  compareAtPriceMinor: number | null;
  sku: string;
  categoryId: string | null;
  status: ProductStatus;
  trackInventory: boolean;
  weightGrams: number | null;
  lengthMm: number | null;
  widthMm: number | null;
  heightMm: number | null;
  attributes: Record<string, string>;
  tags: string[];
  commissionBp: number;
  careerPointsBp: number;
}

/** Its columns, for whoever writes them. */
export const PRODUCT_FIELDS: Readonly<Record<keyof ProductRecord, string>> = {
  name: 'name',
  description: 'description',
  shortDescription: 'short_description',
  priceMinor: 'price_minor',
  compareAtPriceMinor: 'compare_at_price_minor',
  sku: 'sku',
  categoryId: 'category_id',
  status: 'status',
  trackInventory: 'track_inventory',
  weightGrams: 'weight_grams',
  lengthMm: 'length_mm',
  widthMm: 'width_mm',
  heightMm: 'height_mm',
  attributes: 'attributes',
  tags: 'tags',
  commissionBp: 'commission_bp',
  careerPointsBp: 'career_points_bp',
};

/** A product as kept, with what follows from how it came to be. */
export interface KeptProduct extends ProductRecord {
  id: string;
  slug: string;
  currency: string;
  createdAt: Date;
  updatedAt: Date;
}

/** Of the product `p`. */
export const KEPT_COLUMNS = `p.id, p.slug, p.currency, p.created_at, p.updated_at, ${Object.entries(
  PRODUCT_FIELDS,
)
  .map(([name, column]) => `p.${column} AS "${name}"`)
  .join(', ')}`;

/** When the product was deleted; null when it is not. */
export async function deletedAtOf(db: Db, id: string): Promise<Date | null> {
  const found = await firstRow<{ deletedAt: Date | null }>(
    db,
    'SELECT deleted_at FROM products WHERE id = $1',
    [id],
  );
  return found?.deletedAt ?? null;
}

/**
 * A product, locked: against other changes, or also against orders that would hold it; null when
 * there is none.
 */
export function lockProduct(
  tx: Tx,
  id: string,
  against: 'changes' | 'changes and orders' = 'changes',
): Promise<KeptProduct | null> {
  return firstRow<KeptProduct>(
    tx,
    `SELECT ${KEPT_COLUMNS} FROM products p WHERE p.id = $1
     FOR ${against === 'changes' ? 'NO KEY UPDATE' : 'UPDATE'}`,
    [id],
  );
}

/** The same with its attributes in one order: they have none, and the database keeps its own. */
export const inOrder = <Thing extends { attributes: Record<string, string> }>(thing: Thing): Thing => ({
  ...thing,
  attributes: Object.fromEntries(Object.entries(thing.attributes).sort(([a], [b]) => (a < b ? -1 : 1))),
});

/** The product of this SKU, and whether it was deleted; null when there is none. */
export const productOfSku = (db: Db, sku: string): Promise<{ id: string; isDeleted: boolean } | null> =>
  firstRow<{ id: string; isDeleted: boolean }>(
    db,
    'SELECT id, deleted_at IS NOT NULL AS is_deleted FROM products WHERE sku = $1',
    [sku],
  );

/** Whether there is such a product. */
export async function productExists(db: Db, id: string): Promise<boolean> {
  return (await firstRow(db, 'SELECT 1 AS one FROM products WHERE id = $1', [id])) !== null;
}

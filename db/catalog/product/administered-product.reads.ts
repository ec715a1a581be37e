import type { Attributes } from 'sequelize';
import { firstRow, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { Product } from './product.model';

/** The columns that administrators set. */
const FIELDS = [
  'name',
  'description',
  'shortDescription',
  'priceMinor',
  'compareAtPriceMinor',
  'sku',
  'categoryId',
  'status',
  'trackInventory',
  'weightGrams',
  'lengthMm',
  'widthMm',
  'heightMm',
  'attributes',
  'tags',
  'commissionBp',
  'careerPointsBp',
] as const;

/** The fields of a product that administrators set; amounts in minor units, percentages in basis points. */
export type ProductRecord = Pick<Attributes<Product>, (typeof FIELDS)[number]>;

const KEPT = [...FIELDS, 'id', 'slug', 'currency', 'createdAt', 'updatedAt'] as const;

/** A product as administrators see it, deleted or not. */
export type StoredProduct = Pick<Attributes<Product>, (typeof KEPT)[number]>;

/** The time when the product was deleted; null if it is not. */
export const deletedAtOf = async (db: Db, id: string): Promise<Date | null> =>
  (await table(db, Product).one(['deletedAt'], { id }))?.deletedAt ?? null;

/** A product, locked against other changes, or also against orders that would contain it; null if it does not exist. */
export const lockProduct = (
  tx: Tx,
  id: string,
  against: 'changes' | 'changes and orders' = 'changes',
): Promise<StoredProduct | null> =>
  table(tx, Product).one(KEPT, { id }, { lock: against === 'changes' ? 'NO_KEY_UPDATE' : 'UPDATE' });

/** A thing with its attributes sorted by name, so that two can be compared: the database has its own order. */
export const inOrder = <Thing extends { attributes: Record<string, string> }>(thing: Thing): Thing => ({
  ...thing,
  attributes: Object.fromEntries(Object.entries(thing.attributes).sort(([a], [b]) => (a < b ? -1 : 1))),
});

/** The holder of a SKU. */
export interface SkuHolder {
  kind: 'PRODUCT' | 'DELETED_PRODUCT' | 'VARIANT';
  productId: string;
}

/** The product or the variant that has a SKU; null if it is free. */
export const holderOfSku = (db: Db, sku: string): Promise<SkuHolder | null> =>
  firstRow<SkuHolder>(
    db,
    `SELECT CASE WHEN deleted_at IS NULL THEN 'PRODUCT' ELSE 'DELETED_PRODUCT' END AS kind, id AS product_id
       FROM products WHERE code_key(sku) = code_key($1)
     UNION ALL
     SELECT 'VARIANT', product_id FROM product_variants WHERE code_key(sku) = code_key($1) AND deleted_at IS NULL LIMIT 1`,
    [sku],
  );

/** True if there is a product of this id, deleted or not. */
export const productExists = async (db: Db, id: string): Promise<boolean> =>
  (await table(db, Product).one(['id'], { id })) !== null;

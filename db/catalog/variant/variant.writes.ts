import { execute, type Tx } from '../../sql/query';
import type { VariantRecord } from './variant.reads';

/** The fields of a variant that are stored with it; its stock has a table of its own. */
export type VariantFields = Omit<VariantRecord, 'id' | 'stockQuantity'>;

export async function insertVariant(
  tx: Tx,
  { productId, variantId }: { productId: string; variantId: string },
  variant: VariantFields & { position: number; createdAt: Date },
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO product_variants (id, product_id, name, sku, price_minor, attributes, position, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [variantId, productId, ...columnsOf(variant), variant.position, variant.createdAt],
  );
}

export async function updateVariant(tx: Tx, id: string, variant: VariantFields): Promise<void> {
  await execute(
    tx,
    'UPDATE product_variants SET name = $2, sku = $3, price_minor = $4, attributes = $5 WHERE id = $1',
    [id, ...columnsOf(variant)],
  );
}

/** Deletes a variant and withdraws its stock from sale. */
export async function withdrawVariant(tx: Tx, id: string, at: Date): Promise<void> {
  await execute(tx, 'UPDATE product_variants SET deleted_at = $2 WHERE id = $1', [id, at]);
  await execute(tx, 'UPDATE stock_items SET withdrawn = true WHERE variant_id = $1', [id]);
}

const columnsOf = ({ name, sku, priceMinor, attributes }: VariantFields) => [
  name,
  sku,
  priceMinor,
  JSON.stringify(attributes),
];

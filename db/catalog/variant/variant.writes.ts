import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { StockItem } from '../stock/stock-item.model';
import { ProductVariant } from './product-variant.model';
import type { VariantRecord } from './variant.reads';

/** The fields of a variant that are stored with it; its stock has a table of its own. */
export type VariantFields = Omit<VariantRecord, 'id' | 'stockQuantity'>;

export const insertVariant = (
  tx: Tx,
  { productId, variantId }: { productId: string; variantId: string },
  variant: VariantFields & { position: number; createdAt: Date },
): Promise<void> => table(tx, ProductVariant).insert({ ...variant, id: variantId, productId });

export async function updateVariant(
  tx: Tx,
  id: string,
  { name, sku, priceMinor, attributes }: VariantFields,
): Promise<void> {
  await table(tx, ProductVariant).update({ name, sku, priceMinor, attributes }, { id });
}

/** Deletes a variant and withdraws its stock from sale. */
export async function withdrawVariant(tx: Tx, id: string, at: Date): Promise<void> {
  await table(tx, ProductVariant).update({ deletedAt: at }, { id });
  await table(tx, StockItem).update({ withdrawn: true }, { variantId: id });
}

import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import type { ProductRecord } from './administered-product.reads';
import { Product } from './product.model';

export const insertProduct = (
  tx: Tx,
  product: ProductRecord & { id: string; slug: string; createdAt: Date },
): Promise<void> => table(tx, Product).insert({ ...product, updatedAt: product.createdAt });

/** Sets the given fields of a product. Any status but ARCHIVED restores a deleted product. */
export async function updateProduct(
  tx: Tx,
  id: string,
  changes: Partial<ProductRecord>,
  at: Date,
): Promise<void> {
  const restored = changes.status !== undefined && changes.status !== 'ARCHIVED' ? { deletedAt: null } : {};
  await table(tx, Product).update({ ...changes, ...restored, updatedAt: at }, { id });
}

/** Archives a product as deleted. */
export async function archiveProduct(tx: Tx, id: string, at: Date): Promise<void> {
  await table(tx, Product).update({ status: 'ARCHIVED', deletedAt: at, updatedAt: at }, { id });
}

/** Sets when a product last changed, after a change of its variants or pictures. */
export async function touchProduct(tx: Tx, id: string, at: Date): Promise<void> {
  await updateProduct(tx, id, {}, at);
}

import { execute, type Tx } from '../../sql/query';
import { PRODUCT_FIELDS, type ProductRecord } from './administered-product.reads';

export async function insertProduct(
  tx: Tx,
  { id, slug, createdAt, ...product }: ProductRecord & { id: string; slug: string; createdAt: Date },
): Promise<void> {
  const names = fieldNames(product);
  const columns = ['id', 'slug', 'created_at', 'updated_at', ...names.map((name) => PRODUCT_FIELDS[name])];
  const places = ['$1', '$2', '$3', '$3', ...names.map((_, i) => `$${i + 4}`)];
  await execute(tx, `INSERT INTO products (${columns.join(', ')}) VALUES (${places.join(', ')})`, [
    id,
    slug,
    createdAt,
    ...names.map((name) => bound(product, name)),
  ]);
}

/** Sets the given fields of a product. Any status but ARCHIVED restores a deleted product. */
export async function updateProduct(
  tx: Tx,
  id: string,
  changes: Partial<ProductRecord>,
  at: Date,
): Promise<void> {
  const names = fieldNames(changes);
  const assignments = names.map((name, i) => `${PRODUCT_FIELDS[name]} = $${i + 3}`);
  const restored = changes.status !== undefined && changes.status !== 'ARCHIVED' ? ['deleted_at = NULL'] : [];
  const set = [...assignments, ...restored, 'updated_at = $2'].join(', ');
  await execute(tx, `UPDATE products SET ${set} WHERE id = $1`, [
    id,
    at,
    ...names.map((name) => bound(changes, name)),
  ]);
}

/** Archives a product as deleted. */
export async function archiveProduct(tx: Tx, id: string, at: Date): Promise<void> {
  await execute(
    tx,
    `UPDATE products SET status = 'ARCHIVED', deleted_at = $2, updated_at = $2 WHERE id = $1`,
    [id, at],
  );
}

/** Sets when a product last changed, after a change of its variants or pictures. */
export async function touchProduct(tx: Tx, id: string, at: Date): Promise<void> {
  await updateProduct(tx, id, {}, at);
}

const fieldNames = (product: Partial<ProductRecord>): (keyof ProductRecord)[] =>
  Object.keys(PRODUCT_FIELDS).filter((name): name is keyof ProductRecord => name in product);

const bound = (product: Partial<ProductRecord>, name: keyof ProductRecord): unknown =>
  name === 'attributes' ? JSON.stringify(product.attributes) : product[name];

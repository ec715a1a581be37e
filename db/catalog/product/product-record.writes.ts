import { refusal } from '../../../workflows/errors';
import { recordAudit, type Change } from '../../administration/audit/audit.writes';
import { changedFields } from '../../administration/audit/changed-fields';
import { violates } from '../../sql/errors';
import { execute, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { requireNoOrders } from './product-orders.reads';
import { claimSku, freeSlug } from './product-names.writes';
import {
  deletedAtOf,
  inOrder,
  lockProduct,
  PRODUCT_FIELDS,
  type KeptProduct,
  type ProductRecord,
} from './product-record.reads';
import { countStock, lockStock } from '../stock/stock-adjustment.writes';

/** Who changes something, from where. */
export type Actor = Pick<Change, 'actorId' | 'clientAddress'>;

/** What is to be set of a product. Without `stockQuantity` its own stock, beside that of variants, stays as it is. */
export type ProductWish = Partial<ProductRecord> & { stockQuantity?: number };

/**
 * Makes a product with an address of its own; the same id made again is answered with what is there. Refused:
 * SKU_ALREADY_EXISTS, and VALIDATION_ERROR for a category that is not there.
 */
export function createProduct(
  db: Db,
  id: string,
  { stockQuantity, ...product }: ProductRecord & { stockQuantity?: number },
  by: Actor,
): Promise<KeptProduct> {
  return inKnownCategory(
    inTransaction(db, async (tx) => {
      const already = await lockProduct(tx, id);
      if (already) return already;
      const slug = await freeSlug(tx, product.name, id);
      await claimSku(tx, product.sku);
      const at = new Date();
      await insert(tx, { id, slug, createdAt: at, ...product });
      if (stockQuantity !== undefined)
        await countStock(tx, { productId: id, variantId: null }, stockQuantity, { ...by, at });
      const kept = await lockProduct(tx, id);
      if (!kept) throw new Error(`Product ${id} was made and is gone.`);
      const next = { ...product, slug, ...(stockQuantity !== undefined && { stockQuantity }) };
      await audit(tx, by, { id, action: 'product.create', previous: null, next, at });
      return kept;
    }),
  );
}

export interface ChangedProduct extends KeptProduct {
  /** False when everything was as wished. */
  changed: boolean;
}

/**
 * Sets what is given of a product and leaves the rest, so that two who change it at once lose nothing of each other;
 * null when there is none. Refused as `createProduct`; no change leaves no trace. Chosen: its address stays, whatever
 * it is called now, so that links hold.
 */
export function changeProduct(
  db: Db,
  id: string,
  { stockQuantity, ...wish }: ProductWish,
  by: Actor,
): Promise<ChangedProduct | null> {
  const goods = { productId: id, variantId: null };
  return inKnownCategory(
    inTransaction(db, async (tx) => {
      if (stockQuantity !== undefined) await lockStock(tx, goods);
      const before = await lockProduct(tx, id);
      if (!before) return null;
      const at = new Date();
      const fields = changedFields(inOrder(before), inOrder({ ...before, ...wish }));
      if (fields?.next.sku !== undefined) await claimSku(tx, fields.next.sku);
      const counted =
        stockQuantity === undefined ? null : await countStock(tx, goods, stockQuantity, { ...by, at });
      const recounted = stockQuantity !== undefined && counted !== stockQuantity;
      if (!fields && !recounted) return { ...before, changed: false };
      await update(tx, id, fields?.next ?? {}, at);
      await audit(tx, by, {
        id,
        action: 'product.update',
        previous: { ...fields?.previous, ...(recounted && { stockQuantity: counted }) },
        next: { ...fields?.next, ...(recounted && { stockQuantity }) },
        at,
      });
      return { ...before, ...fields?.next, updatedAt: at, changed: true };
    }),
  );
}

/**
 * Archives a product; null when there is none. Refused with HAS_PENDING_ORDERS while orders hold it: an order that is
 * being placed is waited for, and one that comes later cannot be placed. One that was deleted before is only answered.
 */
export function deleteProduct(db: Db, id: string, by: Actor): Promise<{ deletedAt: Date } | null> {
  return inTransaction(db, async (tx) => {
    const product = await lockProduct(tx, id, 'changes and orders');
    if (!product) return null;
    const before = await deletedAtOf(tx, id);
    if (before) return { deletedAt: before };
    await requireNoOrders(tx, { productId: id, variantId: null });
    const at = new Date();
    await execute(
      tx,
      `UPDATE products SET status = 'ARCHIVED', deleted_at = $2, updated_at = $2 WHERE id = $1`,
      [id, at],
    );
    const previous = { status: product.status, deletedAt: null };
    const next = { status: 'ARCHIVED', deletedAt: at };
    await audit(tx, by, { id, action: 'product.delete', previous, next, at });
    return { deletedAt: at };
  });
}

/** Something of the product changed: what is shown of it says when. */
export async function touchProduct(tx: Tx, id: string, at: Date): Promise<void> {
  await update(tx, id, {}, at);
}

/** Records what somebody did to a product, or to what hangs on it. */
export function audit(
  tx: Tx,
  by: Actor,
  { id, ...change }: Pick<Change, 'action' | 'previous' | 'next' | 'at'> & { id: string },
): Promise<void> {
  return recordAudit(tx, { ...by, ...change, entityType: 'product', entityId: id });
}

async function insert(
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

async function update(tx: Tx, id: string, changes: Partial<ProductRecord>, at: Date): Promise<void> {
  const names = fieldNames(changes);
  const assignments = names.map((name, i) => `${PRODUCT_FIELDS[name]} = $${i + 3}`);
  // Another status brings a deleted product back.
  const revived = changes.status !== undefined && changes.status !== 'ARCHIVED' ? ['deleted_at = NULL'] : [];
  const set = [...assignments, ...revived, 'updated_at = $2'].join(', ');
  await execute(tx, `UPDATE products SET ${set} WHERE id = $1`, [
    id,
    at,
    ...names.map((name) => bound(changes, name)),
  ]);
}

const fieldNames = (product: Partial<ProductRecord>): (keyof ProductRecord)[] =>
  Object.keys(PRODUCT_FIELDS).filter((name): name is keyof ProductRecord => name in product);

const bound = (product: Partial<ProductRecord>, name: keyof ProductRecord): unknown =>
  name === 'attributes' ? JSON.stringify(product.attributes) : product[name];

async function inKnownCategory<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (!violates(error, 'products_category_fkey')) throw error;
    throw refusal('VALIDATION_ERROR', 'There is no such category.', { categoryId: ['is no category'] });
  }
}

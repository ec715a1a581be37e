import { refusal } from '../../../workflows/errors';
import { changedFields } from '../../administration/audit/changed-fields';
import { execute, type Db } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { claimSku } from '../product/product-names.writes';
import { requireNoOrders } from '../product/product-orders.reads';
import { inOrder, requireProduct, type KeptProduct } from '../product/product-record.reads';
import { audit, touchProduct, type Actor } from '../product/product-record.writes';
import { countStock, lockStock, type CountedGoods } from '../stock/stock-adjustment.writes';
import { lockVariant, variantsOf, type VariantRecord } from './variant-record.reads';

/** All of them are shown on one page. */
export const MOST_VARIANTS = 100;

/** A variant as it now is, with the product it is of. */
export interface KeptVariant extends VariantRecord {
  product: KeptProduct;
  changedAt: Date;
}

/** What is to be of a new variant. */
export interface VariantWish {
  sku: string;
  /** Null: as its attributes say. */
  name: string | null;
  /** Null: what the product costs. */
  priceMinor: number | null;
  attributes: Record<string, string>;
  stockQuantity: number | null;
}

/**
 * Adds a variant to a product; the same id added again is answered with what is there. Refused: PRODUCT_NOT_FOUND,
 * SKU_ALREADY_EXISTS, and VALIDATION_ERROR for more variants than a page can show.
 */
export function addVariant(
  db: Db,
  { productId, variantId }: { productId: string; variantId: string },
  wish: VariantWish,
  by: Actor,
): Promise<KeptVariant> {
  return inTransaction(db, async (tx) => {
    const product = await requireProduct(tx, productId);
    const at = new Date();
    const already = await lockVariant(tx, { productId, variantId });
    if (already) return { ...already, product, changedAt: product.updatedAt };
    const { count, lastPosition } = await variantsOf(tx, productId);
    if (count >= MOST_VARIANTS)
      throw refusal('VALIDATION_ERROR', `A product has at most ${MOST_VARIANTS} variants.`);
    await claimSku(tx, wish.sku);
    const variant = {
      name: wish.name ?? (Object.values(wish.attributes).join(' / ') || wish.sku),
      sku: wish.sku,
      priceMinor: wish.priceMinor ?? product.priceMinor,
      attributes: wish.attributes,
    };
    await execute(
      tx,
      `INSERT INTO product_variants (id, product_id, name, sku, price_minor, attributes, position, created_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
      [variantId, productId, ...columnsOf(variant), (lastPosition ?? -1) + 1, at],
    );
    if (wish.stockQuantity !== null)
      await countStock(tx, { productId, variantId }, wish.stockQuantity, { ...by, at });
    await touchProduct(tx, productId, at);
    const added = { id: variantId, ...variant, stockQuantity: wish.stockQuantity ?? 0 };
    await audit(tx, by, { id: productId, action: 'product.add-variant', previous: null, next: added, at });
    return { ...added, product, changedAt: at };
  });
}

/** Sets what is given of a variant and leaves the rest. Refused: PRODUCT_NOT_FOUND, VARIANT_NOT_FOUND, SKU_ALREADY_EXISTS. */
export function changeVariant(
  db: Db,
  goods: CountedGoods & { variantId: string },
  wish: Partial<Omit<VariantRecord, 'id'>>,
  by: Actor,
): Promise<KeptVariant> {
  const { productId, variantId } = goods;
  return inTransaction(db, async (tx) => {
    if (wish.stockQuantity !== undefined) await lockStock(tx, goods);
    const product = await requireProduct(tx, productId);
    const before = await lockVariant(tx, goods);
    if (!before) throw noSuchVariant();
    const after = { ...before, ...wish };
    const changed = changedFields(inOrder(before), inOrder(after));
    if (!changed) return { ...before, product, changedAt: product.updatedAt };
    const at = new Date();
    if (after.sku !== before.sku) await claimSku(tx, after.sku);
    await execute(
      tx,
      'UPDATE product_variants SET name = $2, sku = $3, price_minor = $4, attributes = $5 WHERE id = $1',
      [variantId, ...columnsOf(after)],
    );
    if (wish.stockQuantity !== undefined) await countStock(tx, goods, wish.stockQuantity, { ...by, at });
    await touchProduct(tx, productId, at);
    await audit(tx, by, { id: productId, action: 'product.update-variant', ...of(variantId, changed), at });
    return { ...after, product, changedAt: at };
  });
}

/**
 * Takes a variant out of the shop for good; answers when. Refused: PRODUCT_NOT_FOUND, VARIANT_NOT_FOUND, and
 * HAS_PENDING_ORDERS as for a product.
 */
export function deleteVariant(
  db: Db,
  goods: CountedGoods & { variantId: string },
  by: Actor,
): Promise<{ deletedAt: Date }> {
  const { productId, variantId } = goods;
  return inTransaction(db, async (tx) => {
    // In the order of a checkout and of a sale: the variant, its stock, the product.
    const variant = await lockVariant(tx, goods, 'changes and orders');
    await lockStock(tx, goods);
    await requireProduct(tx, productId);
    if (!variant) throw noSuchVariant();
    await requireNoOrders(tx, goods);
    const at = new Date();
    await execute(tx, 'UPDATE product_variants SET deleted_at = $2 WHERE id = $1', [variantId, at]);
    await execute(tx, 'UPDATE stock_items SET withdrawn = true WHERE variant_id = $1', [variantId]);
    await touchProduct(tx, productId, at);
    const gone = { previous: { deletedAt: null }, next: { deletedAt: at } };
    await audit(tx, by, { id: productId, action: 'product.delete-variant', ...of(variantId, gone), at });
    return { deletedAt: at };
  });
}

const noSuchVariant = (): Error => refusal('VARIANT_NOT_FOUND', 'This product has no such variant.');

const columnsOf = ({ name, sku, priceMinor, attributes }: Omit<VariantRecord, 'id' | 'stockQuantity'>) => [
  name,
  sku,
  priceMinor,
  JSON.stringify(attributes),
];

/** The record is of the product, so it says of which variant. */
const of = (variantId: string, { previous, next }: { previous: object; next: object }) => ({
  previous: { variantId, ...previous },
  next: { variantId, ...next },
});

import { lockProduct, type StoredProduct } from '../../../db/catalog/product/administered-product.reads';
import { hasPendingOrders } from '../../../db/catalog/product/pending-orders.reads';
import { claimSku } from '../../../db/catalog/product/unique-names.writes';
import type { CountedGoods } from '../../../db/catalog/stock/stock-adjustment.writes';
import { violates } from '../../../db/sql/errors';
import type { Tx } from '../../../db/sql/query';
import { businessRefusal, refusal } from '../../../workflows/errors';

export const noSuchProduct = (): Error => refusal('PRODUCT_NOT_FOUND');

/** Locks a product as `lockProduct` does; refused with PRODUCT_NOT_FOUND if it does not exist. */
export async function requireProduct(
  tx: Tx,
  id: string,
  against?: 'changes' | 'changes and orders',
): Promise<StoredProduct> {
  const product = await lockProduct(tx, id, against);
  if (!product) throw noSuchProduct();
  return product;
}

/** Reserves a SKU until the end of the transaction; refused with SKU_ALREADY_EXISTS if it is taken. */
export async function requireFreeSku(tx: Tx, sku: string): Promise<void> {
  if (await claimSku(tx, sku)) return;
  throw refusal('SKU_ALREADY_EXISTS', 'A product or variant with this SKU already exists.', {
    sku: ['belongs to another product or variant'],
  });
}

/** Refuses with HAS_PENDING_ORDERS while an order that is not sent yet contains a product, or one variant of it. */
export async function requireNoPendingOrders(tx: Tx, goods: CountedGoods): Promise<void> {
  if (await hasPendingOrders(tx, goods)) throw refusal('HAS_PENDING_ORDERS');
}

/** Runs a transaction and refuses with VALIDATION_ERROR when it puts a product into a category that does not exist. */
export async function refusingUnknownCategory<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (error) {
    if (!violates(error, 'products_category_fkey')) throw error;
    throw businessRefusal('UNKNOWN_CATEGORY', 'No such category.', { categoryId: ['is not a category'] });
  }
}

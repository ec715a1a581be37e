import { audited } from '../../../../db/administration/audit/audit.writes';
import { touchProduct } from '../../../../db/catalog/product/administered-product.writes';
import { lockStock } from '../../../../db/catalog/stock/stock-adjustment.writes';
import { lockVariant } from '../../../../db/catalog/variant/variant.reads';
import { withdrawVariant } from '../../../../db/catalog/variant/variant.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import type { Actor } from '../../actor';
import { requireNoPendingOrders, requireProduct } from '../product.requirements';
import { noSuchVariant, type VariantKey } from './variant.requirements';

/**
 * Deletes a variant for good; returns when. Refused: PRODUCT_NOT_FOUND, VARIANT_NOT_FOUND, and HAS_PENDING_ORDERS while
 * an order that is not sent yet contains it.
 */
export function deleteVariant(db: Db, key: VariantKey, by: Actor): Promise<{ deletedAt: Date }> {
  const { productId, variantId } = key;
  return inTransaction(db, async (tx) => {
    // The order in which a checkout and a sale lock: the variant, its stock, the product.
    const variant = await lockVariant(tx, key, 'changes and orders');
    await lockStock(tx, key);
    await requireProduct(tx, productId);
    if (!variant) throw noSuchVariant();
    await requireNoPendingOrders(tx, key);
    const at = new Date();
    await withdrawVariant(tx, variantId, at);
    await touchProduct(tx, productId, at);
    await audited(
      tx,
      { ...by, at },
      'product.delete-variant',
      productId,
      { deletedAt: null },
      { deletedAt: at },
      { variantId },
    );
    return { deletedAt: at };
  });
}

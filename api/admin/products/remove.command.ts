import { audited } from '../../../db/administration/audit/audit.writes';
import { deletedAtOf } from '../../../db/catalog/product/administered-product.reads';
import { archiveProduct } from '../../../db/catalog/product/administered-product.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { requireNoPendingOrders, requireProduct } from './product.requirements';

/**
 * Archives a product as deleted; returns when, which for a product deleted before is that time. Refused:
 * PRODUCT_NOT_FOUND, and HAS_PENDING_ORDERS: an order being placed is waited for, and a later one cannot be placed.
 */
export function deleteProduct(db: Db, id: string, by: Actor): Promise<{ deletedAt: Date }> {
  return inTransaction(db, async (tx) => {
    const product = await requireProduct(tx, id, 'changes and orders');
    const before = await deletedAtOf(tx, id);
    if (before) return { deletedAt: before };
    await requireNoPendingOrders(tx, { productId: id, variantId: null });
    const at = new Date();
    await archiveProduct(tx, id, at);
    await audited(
      tx,
      { ...by, at },
      'product.delete',
      id,
      { status: product.status, deletedAt: null },
      { status: 'ARCHIVED', deletedAt: at },
    );
    return { deletedAt: at };
  });
}

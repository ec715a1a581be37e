import { v7 } from 'uuid';
import { execute, firstRow, type Tx } from '../../sql/query';

/** Goods that are counted: a product as it is, or one of its variants. */
export interface CountedGoods {
  productId: string;
  variantId: string | null;
}

/**
 * Locks the stock of goods before anything else of them is locked: sales lock it before the product, too. Nothing is
 * locked where nothing was ever counted.
 */
export async function lockStock(tx: Tx, { productId, variantId }: CountedGoods): Promise<void> {
  await execute(
    tx,
    `SELECT id FROM stock_items WHERE product_id = $1 AND variant_id IS NOT DISTINCT FROM $2::uuid FOR NO KEY UPDATE`,
    [productId, variantId],
  );
}

/**
 * Counts goods anew: so many may be ordered from now on, whatever orders hold beside them. It is a movement like all
 * others, INITIAL for goods that were never counted, else ADJUST. The caller has locked the product. Answers what could
 * be ordered before; null when nobody had counted.
 */
export async function countStock(
  tx: Tx,
  goods: CountedGoods,
  available: number,
  by: { actorId: string | null; at: Date },
): Promise<number | null> {
  const { productId, variantId } = goods;
  const item = await firstRow<{ id: string; available: number }>(
    tx,
    `SELECT id, available FROM stock_items
     WHERE product_id = $1 AND variant_id IS NOT DISTINCT FROM $2::uuid FOR NO KEY UPDATE`,
    [productId, variantId],
  );
  if (item?.available === available) return available;
  const id = item?.id ?? v7();
  await execute(
    tx,
    item
      ? 'UPDATE stock_items SET available = $2, updated_at = $3 WHERE id = $1'
      : `INSERT INTO stock_items (id, available, updated_at, product_id, variant_id) VALUES ($1, $2, $3, $4, $5)`,
    [id, available, by.at, ...(item ? [] : [productId, variantId])],
  );
  await execute(
    tx,
    `INSERT INTO stock_movements (id, stock_item_id, kind, available_delta, reserved_delta, reference, created_at)
     VALUES ($1, $2, $3, $4, 0, $5, $6)`,
    [
      v7(),
      id,
      item ? 'ADJUST' : 'INITIAL',
      available - (item?.available ?? 0),
      `count:${by.actorId ?? 'platform'}:${v7()}`,
      by.at,
    ],
  );
  return item?.available ?? null;
}

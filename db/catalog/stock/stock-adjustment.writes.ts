import { v7 } from 'uuid';
import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { StockItem } from './stock-item.model';
import { StockMovement } from './stock-movement.model';

/** Goods with a stock of their own: a product itself, or one of its variants. */
export interface CountedGoods {
  productId: string;
  variantId: string | null;
}

/**
 * Locks the stock of goods, if it was ever counted. To be called before the product is locked: sales lock in this order
 * too.
 */
export async function lockStock(tx: Tx, { productId, variantId }: CountedGoods): Promise<void> {
  await table(tx, StockItem).all(['id'], { productId, variantId }, { lock: 'NO_KEY_UPDATE' });
}

/**
 * Sets how many units of goods may be ordered, not counting those reserved for orders, by a movement: INITIAL for the
 * first count, else ADJUST. The caller has locked the product. Answers the units before; null before the first count.
 */
export async function countStock(
  tx: Tx,
  { productId, variantId }: CountedGoods,
  available: number,
  by: { actorId: string | null; at: Date },
): Promise<number | null> {
  const items = table(tx, StockItem);
  const item = await items.one(['id', 'available'], { productId, variantId }, { lock: 'NO_KEY_UPDATE' });
  if (item?.available === available) return available;
  const id = item?.id ?? v7();
  if (item) await items.update({ available, updatedAt: by.at }, { id });
  else await items.insert({ id, available, updatedAt: by.at, productId, variantId });
  await table(tx, StockMovement).insert({
    id: v7(),
    stockItemId: id,
    kind: item ? 'ADJUST' : 'INITIAL',
    availableDelta: available - (item?.available ?? 0),
    reservedDelta: 0,
    reference: `count:${by.actorId ?? 'platform'}:${v7()}`,
    createdAt: by.at,
  });
  return item?.available ?? null;
}

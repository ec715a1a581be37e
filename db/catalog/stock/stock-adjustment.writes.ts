import { v7 } from 'uuid';
import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { StockItem } from './stock-item.model';
import { StockMovement } from './stock-movement.model';

/** Any number, as long as no other advisory lock of two keys begins with it. */
const FIRST_COUNT_LOCK = 7_310_222;

/** Goods with a stock of their own: a product itself, or one of its variants. */
export interface CountedGoods {
  productId: string;
  variantId: string | null;
}

/**
 * Locks the stock of goods. To be called before the product is locked: sales lock in this order too. First counts of
 * the same goods wait for each other here: one that found no stock, and met that of another behind the product's lock,
 * would lock in the opposite order.
 */
export async function lockStock(tx: Tx, { productId, variantId }: CountedGoods): Promise<void> {
  const items = table(tx, StockItem);
  const lockedItem = () => items.one(['id'], { productId, variantId }, { lock: 'NO_KEY_UPDATE' });
  if (await lockedItem()) return;
  await execute(tx, 'SELECT pg_advisory_xact_lock($1, hashtext($2))', [
    FIRST_COUNT_LOCK,
    variantId ?? productId,
  ]);
  await lockedItem();
}

/**
 * Sets how many units of goods may be ordered, not counting those reserved for orders, by a movement: INITIAL for the
 * first count, else ADJUST. The caller has locked the product. Returns the units before; null before the first count.
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
    orderId: null,
    refundRequestId: null,
    countedBy: by.actorId,
    createdAt: by.at,
  });
  return item?.available ?? null;
}

import { v7 } from 'uuid';
import { execute, rows, type Tx } from '../../sql/query';

/** How many units of one stock item. */
export interface StockAmount {
  stockItemId: string;
  quantity: number;
}

type MovementKind = 'RESERVE' | 'RELEASE' | 'SELL' | 'RESTOCK';

/** What one unit of a movement does to what may be sold and to what is set aside. */
const EFFECT: Record<MovementKind, { available: -1 | 0 | 1; reserved: -1 | 0 | 1 }> = {
  RESERVE: { available: -1, reserved: 1 },
  RELEASE: { available: 1, reserved: -1 },
  SELL: { available: 0, reserved: -1 },
  RESTOCK: { available: 1, reserved: 0 },
};

/**
 * Sets stock aside: all of it or none. Rows are locked in the order of their ids, so that two orders for the same
 * goods never wait for each other. Answers the items that have too little; nothing was changed then.
 */
export async function reserveStock(
  tx: Tx,
  amounts: readonly StockAmount[],
  reference: string,
  at: string,
): Promise<{ short: string[] }> {
  const wanted = merged(amounts);
  const locked = await rows<{ id: string; available: number }>(
    tx,
    `SELECT id, available FROM stock_items WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [wanted.map((amount) => amount.stockItemId)],
  );
  const available = new Map(locked.map((item) => [item.id, item.available]));
  const short = wanted.filter((amount) => (available.get(amount.stockItemId) ?? 0) < amount.quantity);
  if (short.length > 0) return { short: short.map((amount) => amount.stockItemId) };
  await move(tx, 'RESERVE', wanted, reference, at);
  return { short: [] };
}

/** Gives back what was set aside for an order that will not be. */
export const releaseStock = (
  tx: Tx,
  amounts: readonly StockAmount[],
  reference: string,
  at: string,
): Promise<void> => move(tx, 'RELEASE', merged(amounts), reference, at);

/** What was set aside is sold. */
export const sellStock = (
  tx: Tx,
  amounts: readonly StockAmount[],
  reference: string,
  at: string,
): Promise<void> => move(tx, 'SELL', merged(amounts), reference, at);

/** What was sold comes back and may be sold again. */
export const restock = (
  tx: Tx,
  amounts: readonly StockAmount[],
  reference: string,
  at: string,
): Promise<void> => move(tx, 'RESTOCK', merged(amounts), reference, at);

/**
 * Writes the movements and applies exactly those that are new: the unique reference makes a repeat harmless. The
 * checks `available >= 0` and `reserved >= 0` stand in the database.
 */
async function move(
  tx: Tx,
  kind: MovementKind,
  amounts: readonly StockAmount[],
  reference: string,
  at: string,
): Promise<void> {
  if (amounts.length === 0) return;
  const effect = EFFECT[kind];
  await execute(
    tx,
    `WITH wanted AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS w(id, stock_item_id, quantity)
     ), locked AS (
       SELECT s.id FROM stock_items s JOIN wanted w ON w.stock_item_id = s.id ORDER BY s.id FOR NO KEY UPDATE OF s
     ), moved AS (
       INSERT INTO stock_movements (id, stock_item_id, kind, available_delta, reserved_delta, reference, created_at)
       SELECT w.id, w.stock_item_id, $4, w.quantity * $5::int, w.quantity * $6::int, $7, $8
       FROM wanted w JOIN locked l ON l.id = w.stock_item_id
       ON CONFLICT ON CONSTRAINT stock_movements_reference_key DO NOTHING
       RETURNING stock_item_id, available_delta, reserved_delta
     )
     UPDATE stock_items s
     SET available = s.available + m.available_delta, reserved = s.reserved + m.reserved_delta, updated_at = $8
     FROM moved m WHERE m.stock_item_id = s.id`,
    [
      amounts.map(() => v7()),
      amounts.map((amount) => amount.stockItemId),
      amounts.map((amount) => amount.quantity),
      kind,
      effect.available,
      effect.reserved,
      `${reference}:${kind}`,
      at,
    ],
  );
}

/** One amount per item, in the order in which rows are locked. */
function merged(amounts: readonly StockAmount[]): StockAmount[] {
  const quantities = new Map<string, number>();
  for (const { stockItemId, quantity } of amounts)
    quantities.set(stockItemId, (quantities.get(stockItemId) ?? 0) + quantity);
  return [...quantities]
    .map(([stockItemId, quantity]) => ({ stockItemId, quantity }))
    .sort((a, b) => (a.stockItemId < b.stockItemId ? -1 : 1));
}

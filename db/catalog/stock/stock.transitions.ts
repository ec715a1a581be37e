import { v7 } from 'uuid';
import { execute, rows, type Tx } from '../../sql/query';

/** Units of one stock item. */
export interface StockAmount {
  stockItemId: string;
  quantity: number;
}

/** Why stock is moved: by an order, or by one of its refunds, which alone may restock some of it. */
export interface StockCause {
  orderId: string;
  refundRequestId?: string;
}

type MovementKind = 'RESERVE' | 'RELEASE' | 'SELL' | 'RESTOCK';

/** The effect of one unit of a movement on the available and the reserved stock. */
const EFFECT: Record<MovementKind, { available: -1 | 0 | 1; reserved: -1 | 0 | 1 }> = {
  RESERVE: { available: -1, reserved: 1 },
  RELEASE: { available: 1, reserved: -1 },
  SELL: { available: 0, reserved: -1 },
  RESTOCK: { available: 1, reserved: 0 },
};

/**
 * Reserves stock, all of it or none. Rows are locked in the order of their ids, so that two orders for the same goods
 * never deadlock. Returns the items that are short; nothing was changed then.
 */
export async function reserveStock(
  tx: Tx,
  amounts: readonly StockAmount[],
  cause: StockCause,
  at: string,
): Promise<{ short: string[] }> {
  const requested = merged(amounts);
  const locked = await rows<{ id: string; available: number }>(
    tx,
    `SELECT id, available FROM stock_items WHERE id = ANY($1::uuid[]) ORDER BY id FOR NO KEY UPDATE`,
    [requested.map((amount) => amount.stockItemId)],
  );
  const available = new Map(locked.map((item) => [item.id, item.available]));
  const short = requested.filter((amount) => (available.get(amount.stockItemId) ?? 0) < amount.quantity);
  if (short.length > 0) return { short: short.map((amount) => amount.stockItemId) };
  await moveStock(tx, 'RESERVE', requested, cause, at);
  return { short: [] };
}

/** Makes units reserved for an order available again. */
export const releaseStock = (
  tx: Tx,
  amounts: readonly StockAmount[],
  cause: StockCause,
  at: string,
): Promise<void> => moveStock(tx, 'RELEASE', merged(amounts), cause, at);

/** Removes reserved units, which are sold. */
export const sellStock = (
  tx: Tx,
  amounts: readonly StockAmount[],
  cause: StockCause,
  at: string,
): Promise<void> => moveStock(tx, 'SELL', merged(amounts), cause, at);

/** Makes sold units available again. */
export const restock = (
  tx: Tx,
  amounts: readonly StockAmount[],
  cause: StockCause,
  at: string,
): Promise<void> => moveStock(tx, 'RESTOCK', merged(amounts), cause, at);

/**
 * Writes the movements and applies exactly those that are new: a unique index makes a repetition harmless.
 * Constraints of the database hold `available >= 0` and `reserved >= 0`.
 */
async function moveStock(
  tx: Tx,
  kind: MovementKind,
  amounts: readonly StockAmount[],
  cause: StockCause,
  at: string,
): Promise<void> {
  if (amounts.length === 0) return;
  const effect = EFFECT[kind];
  await execute(
    tx,
    `WITH requested AS (
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::int[]) AS r(id, stock_item_id, quantity)
     ), locked AS (
       SELECT s.id FROM stock_items s JOIN requested r ON r.stock_item_id = s.id ORDER BY s.id FOR NO KEY UPDATE OF s
     ), moved AS (
       INSERT INTO stock_movements (id, stock_item_id, kind, available_delta, reserved_delta, order_id, refund_request_id, created_at)
       SELECT r.id, r.stock_item_id, $4, r.quantity * $5::int, r.quantity * $6::int, $7, $8, $9
       FROM requested r JOIN locked l ON l.id = r.stock_item_id
       ON CONFLICT (order_id, stock_item_id, kind, refund_request_id) WHERE order_id IS NOT NULL DO NOTHING
       RETURNING stock_item_id, available_delta, reserved_delta
     )
     UPDATE stock_items s
     SET available = s.available + m.available_delta, reserved = s.reserved + m.reserved_delta, updated_at = $9
     FROM moved m WHERE m.stock_item_id = s.id`,
    [
      amounts.map(() => v7()),
      amounts.map((amount) => amount.stockItemId),
      amounts.map((amount) => amount.quantity),
      kind,
      effect.available,
      effect.reserved,
      cause.orderId,
      cause.refundRequestId ?? null,
      at,
    ],
  );
}

/** One amount for each item, in the order in which rows are locked. */
function merged(amounts: readonly StockAmount[]): StockAmount[] {
  const quantities = new Map<string, number>();
  for (const { stockItemId, quantity } of amounts)
    quantities.set(stockItemId, (quantities.get(stockItemId) ?? 0) + quantity);
  return [...quantities]
    .map(([stockItemId, quantity]) => ({ stockItemId, quantity }))
    .sort((a, b) => (a.stockItemId < b.stockItemId ? -1 : 1));
}

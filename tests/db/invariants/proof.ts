import { execute, firstRow, type Tx } from '../../../db/sql/query';
import type { Reference } from '../../../workflows/ledger/reference.rules';
import type { HealthyWorld } from './healthy.world';

/** One way to break one invariant and no other. */
export interface Proof {
  invariant: string;
  how: string;
  /** Breaks it, past every trigger and constraint; answers the entity that the checker has to name. */
  breaks: (tx: Tx, healthy: HealthyWorld) => Promise<string>;
}

/** Changes rows, and fails when there were none to change. */
export async function change(tx: Tx, statement: string, bind: readonly unknown[] = []): Promise<void> {
  if ((await execute(tx, statement, bind)) === 0) throw new Error(`Nothing was changed by ${statement}`);
}

/** Removes the announcement that a refund is back, which an order or a request whose money is not back does not have. */
export const unannounceRefund = (tx: Tx, id: string): Promise<void> =>
  change(tx, 'DELETE FROM domain_events WHERE reference = $1', [`refund.completed:${id}`]);

/** The single value `found` of a query; fails when there is none. */
export async function find(tx: Tx, query: string, bind: readonly unknown[] = []): Promise<string> {
  const row = await firstRow<{ found: string }>(tx, query, bind);
  if (!row) throw new Error(`Nothing was found by ${query}`);
  return row.found;
}

/** Makes the movements of an order, or only those of one of its refunds, counts of nobody: the stock is the same. */
export const forgetMovements = (
  tx: Tx,
  column: 'order_id' | 'refund_request_id',
  id: string,
): Promise<void> =>
  change(
    tx,
    `WITH gone AS (
       DELETE FROM stock_movements WHERE ${column} = $1 RETURNING stock_item_id, available_delta, reserved_delta
     )
     INSERT INTO stock_movements (id, stock_item_id, kind, available_delta, reserved_delta, created_at)
     SELECT gen_random_uuid(), stock_item_id, 'ADJUST', sum(available_delta), sum(reserved_delta), now()
     FROM gone GROUP BY stock_item_id`,
    [id],
  );

/** Restocks units of an order's line; below zero, the movement that restocked as many never was. */
export const moveToShelf = (tx: Tx, item: string, units: number): Promise<void> =>
  change(
    tx,
    units > 0
      ? `INSERT INTO stock_movements (id, stock_item_id, kind, available_delta, reserved_delta, order_id, created_at)
         SELECT gen_random_uuid(), stock_item_id, 'RESTOCK', $2, 0, order_id, now() FROM order_items WHERE id = $1`
      : `DELETE FROM stock_movements m USING order_items i WHERE i.id = $1 AND m.kind = 'RESTOCK'
           AND (m.order_id, m.stock_item_id, m.available_delta) = (i.order_id, i.stock_item_id, -$2::int)`,
    [item, units],
  );

/** True if the transfer `t` has the reference that is bound by `referenceBind`. */
export const IS_REFERENCE = '(t.kind, t.subject_id, t.part) = ($1, $2, $3)';
export const referenceBind = ({ kind, subjectId, part = '' }: Reference): string[] => [kind, subjectId, part];

/** Takes a user's side of a booking up by one cent, at the cost of `payments`; the balance follows. */
export async function shiftBooking(tx: Tx, reference: Reference): Promise<void> {
  const entries = `FROM ledger_transfers t WHERE t.id = e.transfer_id AND ${IS_REFERENCE}`;
  await change(
    tx,
    `UPDATE ledger_entries e SET amount_minor = amount_minor + 1 ${entries} AND user_id IS NOT NULL`,
    referenceBind(reference),
  );
  await change(
    tx,
    `INSERT INTO ledger_entries (transfer_id, account, currency, amount_minor, created_at)
     SELECT e.transfer_id, 'payments', e.currency, -1, e.created_at FROM ledger_entries e, ledger_transfers t
     WHERE t.id = e.transfer_id AND ${IS_REFERENCE} AND e.user_id IS NOT NULL`,
    referenceBind(reference),
  );
  await change(
    tx,
    `UPDATE ledger_balances b SET balance_minor = balance_minor + 1 FROM ledger_entries e, ledger_transfers t
     WHERE t.id = e.transfer_id AND ${IS_REFERENCE}
       AND (b.user_id, b.account, b.currency) = (e.user_id, e.account, e.currency)`,
    referenceBind(reference),
  );
}

/** Takes a cent from a user's account without any cause; the balance follows. */
export async function strayCent(
  tx: Tx,
  userId: string,
  account: string,
  holdId: string | null = null,
): Promise<void> {
  const id = await find(tx, 'SELECT gen_random_uuid() AS found');
  await change(
    tx,
    `INSERT INTO ledger_transfers (id, kind, subject_id, created_at) VALUES ($1, 'seed-wallet', 'stray', now())`,
    [id],
  );
  await change(
    tx,
    `INSERT INTO ledger_entries (transfer_id, account, user_id, currency, amount_minor, hold_id, created_at)
     VALUES ($1, $3, $2, 'USD', -1, $4, now()), ($1, 'losses', NULL, 'USD', 1, NULL, now())`,
    [id, userId, account, holdId],
  );
  await change(
    tx,
    `UPDATE ledger_balances SET balance_minor = balance_minor - 1 WHERE user_id = $1 AND account = $2 AND currency = 'USD'`,
    [userId, account],
  );
}

/** Deletes a transfer between accounts of the platform, with its entries. */
export async function unbook(tx: Tx, reference: Reference): Promise<void> {
  await change(
    tx,
    `DELETE FROM ledger_entries WHERE transfer_id = (SELECT id FROM ledger_transfers t WHERE ${IS_REFERENCE})`,
    referenceBind(reference),
  );
  await change(tx, `DELETE FROM ledger_transfers t WHERE ${IS_REFERENCE}`, referenceBind(reference));
}

/** Books a transfer under a meaningless name: it is not found under its own, and no money is missing. */
export async function misplace(tx: Tx, reference: Reference): Promise<void> {
  await change(
    tx,
    `UPDATE ledger_transfers t SET kind = 'seed-wallet', subject_id = concat_ws(' ', 'lost', kind, subject_id, part), part = ''
     WHERE ${IS_REFERENCE}`,
    referenceBind(reference),
  );
}

/**
 * Makes it as if nobody had ever thought of sending a capture's money back; answers the capture. What was owed is booked
 * as lost, for the ledger to hold.
 */
export async function forgetRefund(tx: Tx, orderId: string): Promise<string> {
  const refund = await find(tx, `SELECT id AS found FROM payment_refunds WHERE order_id = $1`, [orderId]);
  const capture = await find(tx, `SELECT capture_id AS found FROM payment_refunds WHERE id = $1`, [refund]);
  const reference: Reference = { kind: 'payment-refund', subjectId: refund };
  await change(
    tx,
    `UPDATE ledger_entries e SET account = 'losses' FROM ledger_transfers t
     WHERE t.id = e.transfer_id AND ${IS_REFERENCE} AND starts_with(e.account, 'clearing_')`,
    referenceBind(reference),
  );
  await misplace(tx, reference);
  await change(tx, `DELETE FROM sandbox_refunds WHERE key = $1`, [`${refund}:1`]);
  await change(tx, `DELETE FROM payment_refunds WHERE id = $1`, [refund]);
  await change(tx, `UPDATE payment_captures SET refunded_minor = 0 WHERE id = $1`, [capture]);
  return capture;
}

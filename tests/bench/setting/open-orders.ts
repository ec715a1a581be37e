import { setTimeout as pause } from 'node:timers/promises';
import type { Client as Temporal } from '@temporalio/client';
import type { Client as Postgres } from 'pg';
import { checkoutProcess } from '../../../workflows/commerce/checkout/checkout.contract';
import { startOptions } from '../../../workflows/kit/process';

/** The `bench_id` kinds of an order's rows. */
const KIND = { order: 32, item: 33, attempt: 34, change: 35 } as const;
/** The events of a process whose first task has begun. */
const FIRST_TASK_EVENTS = 3;
const LOOK_AGAIN_MS = 100;
/** Starts that are requested from Temporal at once. */
const AT_ONCE = 40;

/** The number of orders that wait for payment. */
export async function openOrders(sql: Postgres): Promise<number> {
  const { rows } = await sql.query<{ count: string }>(
    `SELECT count(*) FROM orders WHERE status = 'PENDING_PAYMENT'`,
  );
  return Number(rows[0]?.count);
}

/** Adds orders that wait for payment, numbered `from` to `to`, each with a process of its own that waits with it. */
export async function addOpenOrders(
  { sql, temporal }: { sql: Postgres; temporal: Temporal },
  { from, to, methodId }: { from: number; to: number; methodId: string },
): Promise<void> {
  const { rows: orders } = await sql.query<{ orderId: string; userId: string }>(
    `WITH goods AS (
       SELECT p.id AS product_id, p.name, p.sku, s.id AS stock_item_id FROM products p
       JOIN stock_items s ON s.product_id = p.id LIMIT 1
     ), numbered AS (
       SELECT n, bench_id(${KIND.order}, n) AS id,
         (SELECT id FROM users OFFSET n % (SELECT count(*) FROM users) LIMIT 1) AS user_id
       FROM generate_series($1::int, $2::int) n
     ), ordered AS (
       INSERT INTO orders (id, number, user_id, status, payment_status, currency, subtotal_minor, discount_minor,
         shipping_minor, tax_minor, total_minor, payment_method, payment_expires_at, shipping_method_id,
         shipping_method_name, shipping_address, created_at, updated_at)
       SELECT id, 'ORD-2000-' || lpad(n::text, 8, '0'), user_id, 'PENDING_PAYMENT', 'PENDING', 'USD', 1000, 0, 0, 0, 1000,
         'CARD', now() + interval '1 day', $3, 'Parcel', '{"country":"DE"}', now(), now()
       FROM numbered
     ), items AS (
       INSERT INTO order_items (id, order_id, position, product_id, name, sku, quantity, unit_price_minor, total_minor,
         discount_minor, tax_minor, commission_bp, career_points_bp, stock_item_id)
       SELECT bench_id(${KIND.item}, n), id, 0, product_id, name, sku, 1, 1000, 1000, 0, 0, 1000, 10000, stock_item_id
       FROM numbered, goods
     ), changes AS (
       INSERT INTO order_status_changes (id, order_id, status, changed_at)
       SELECT bench_id(${KIND.change}, n), id, 'PENDING_PAYMENT', now() FROM numbered
     ), attempts AS (
       INSERT INTO payment_attempts (id, order_id, sequence, provider, method, amount_minor, currency, status,
         expires_at, created_at, updated_at)
       SELECT bench_id(${KIND.attempt}, n), id, 1, 'sandbox', 'CARD', 1000, 'USD', 'PENDING', now() + interval '1 day',
         now(), now()
       FROM numbered
     )
     SELECT id AS "orderId", user_id AS "userId" FROM numbered`,
    [from, to, methodId],
  );
  let next = 0;
  const startOne = async (): Promise<void> => {
    for (let input = orders[next++]; input; input = orders[next++])
      await temporal.workflow.start(checkoutProcess.type, startOptions(checkoutProcess, input));
  };
  await Promise.all(Array.from({ length: AT_ONCE }, startOne));
  await begun(temporal, orders.slice(-AT_ONCE));
}

/** Waits until the last ones have begun, so that no measured process queues behind them. */
async function begun(
  temporal: Temporal,
  last: readonly { orderId: string; userId: string }[],
): Promise<void> {
  for (const input of last) {
    const process = temporal.workflow.getHandle(checkoutProcess.id(input));
    while ((await process.describe()).historyLength <= FIRST_TASK_EVENTS) await pause(LOOK_AGAIN_MS);
  }
}

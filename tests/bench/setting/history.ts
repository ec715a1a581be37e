import type { Client as Postgres } from 'pg';
import { addOtherHistory, AT } from './other-history';

/** The extent of two years of sales and commissions; of everything else there is a part of that. */
export interface HistorySize {
  orders: number;
  commissions: number;
}

const KIND = { order: 31, event: 32, commission: 33, item: 34, refund: 35 } as const;
const id = (kind: number): string => `bench_id(${kind}, n)`;

/**
 * Adds orders, refunds, commissions and everything else from `from` on, without triggers and foreign keys, and counts everything
 * into the rollups as the check of the figures does. Answers the seconds of the latter.
 */
export async function addHistory(
  sql: Postgres,
  { orders, commissions }: HistorySize,
  from: HistorySize,
  { buyerId, methodId }: { buyerId: string; methodId: string },
): Promise<number> {
  await sql.query('SET session_replication_role = replica');
  await sql.query(
    `INSERT INTO orders (id, number, user_id, status, payment_status, currency, subtotal_minor, discount_minor,
       shipping_minor, tax_minor, total_minor, payment_method, payment_expires_at, paid_at, created_at, updated_at,
       shipping_method_id, shipping_method_name, shipping_address)
     SELECT ${id(KIND.order)}, 'PAST-' || n, $3, 'DELIVERED', 'PAID', 'USD', 10000, 500, 490, 1900, 11890,
       (ARRAY['CARD', 'EWALLET', 'BANK_TRANSFER', 'BALANCE'])[1 + n % 4], ${AT}, ${AT}, ${AT}, ${AT}, $4, 'Parcel', '{}'
     FROM generate_series($1::int, $2::int) n`,
    [from.orders + 1, orders, buyerId, methodId],
  );
  await sql.query(
    `INSERT INTO order_items (id, order_id, position, product_id, category_id, name, sku, quantity, unit_price_minor,
       total_minor, discount_minor, tax_minor, commission_bp, career_points_bp)
     SELECT ${id(KIND.item)}, ${id(KIND.order)}, 0, ${id(KIND.item)}, bench_id(${KIND.item}, 1 + n % 50), 'Goods', 'GOODS', 1, 10000,
       10000, 500, 1900, 1000, 10000 FROM generate_series($1::int, $2::int) n`,
    [from.orders + 1, orders],
  );
  await sql.query(
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT ${id(KIND.event)}, 'order.paid', 'order.paid:' || ${id(KIND.order)}, ${id(KIND.order)},
       json_build_object('orderId', ${id(KIND.order)}, 'goodsMinor', 9500, 'currency', 'USD', 'isFirst', false), ${AT}
     FROM generate_series($1::int, $2::int) n`,
    [from.orders + 1, orders],
  );
  // Every tenth order was refunded.
  await sql.query(
    `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT ${id(KIND.refund)}, 'refund.completed', 'refund.completed:' || ${id(KIND.order)}, ${id(KIND.order)},
       jsonb_build_object('orderId', ${id(KIND.order)}, 'refundRequestId', NULL, 'goodsMinor', 9500, 'shippingMinor', 490,
         'taxMinor', 1900, 'currency', 'USD', 'categories', jsonb_build_array(jsonb_build_object(
           'categoryId', bench_id(${KIND.item}, 1 + n % 50), 'goodsMinor', 9500))), ${AT}
     FROM generate_series($1::int, $2::int) n WHERE n % 10 = 0`,
    [from.orders + 1, orders],
  );
  await sql.query(
    `INSERT INTO partner_commissions (id, partner_id, type, source_type, source_id, level, programme_version, rank_level,
       base_minor, commission_weight, rate_bp, met_rate_bp, gross_minor, net_minor, currency, status, matures_at, processed_at, created_at)
     SELECT ${id(KIND.commission)}, ${id(KIND.commission)}, (ARRAY[1, 2, 3])[1 + n % 3], 'ORDER', ${id(KIND.commission)}, 1, 1, 1 + n % 5,
       10000, 0, 5000, CASE n % 3 WHEN 1 THEN 0 END, 500, 500, 'USD',
       CASE n % 20 WHEN 0 THEN 'REVERSED' ELSE 'APPROVED' END, now(), ${AT}, ${AT}
     FROM generate_series($1::int, $2::int) n`,
    [from.commissions + 1, commissions],
  );
  await addOtherHistory(sql, from, { orders, commissions }, buyerId);
  await sql.query('SET session_replication_role = origin');
  await sql.query(
    `VACUUM (ANALYZE) orders, order_items, domain_events, partner_commissions, payouts, participations, investment_transactions,
       partner_state_changes`,
  );
  const start = performance.now();
  await sql.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
  await sql.query('LOCK TABLE analytics_rollups IN SHARE ROW EXCLUSIVE MODE');
  await sql.query('SELECT analytics_count_again()');
  await sql.query('COMMIT');
  await sql.query('VACUUM (ANALYZE) analytics_rollups, analytics_changes');
  return (performance.now() - start) / 1_000;
}

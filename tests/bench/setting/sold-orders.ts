import type { Client as Postgres } from 'pg';

const KIND = { order: 26, item: 27, buyer: 28, event: 29 } as const;
const id = (kind: number): string => `bench_id(${kind}, n)`;

/** Users without orders whose sponsor is this partner; answers their ids. */
export async function addReferred(sql: Postgres, sponsorId: string, count: number): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `INSERT INTO users (id, region, email, password_hash, status, first_name, last_name, kyc_level, kyc_status,
       email_verified_at, sponsor_id, created_at, updated_at)
     SELECT ${id(KIND.buyer)}, 'EU', 'referred' || n || '@example.com', '-', 'ACTIVE', 'Rita', 'Referred', 'BASIC',
       'NOT_STARTED', now(), $2, now(), now()
     FROM generate_series(1, $1::int) n RETURNING id`,
    [count, sponsorId],
  );
  return rows.map((row) => row.id);
}

/** Paid orders of a buyer with their announcements, as the commission engine sees them; money and goods stand still. `from`: the number of the first. */
export async function addSoldOrders(
  sql: Postgres,
  { buyerId, methodId, from, count }: { buyerId: string; methodId: string; from: number; count: number },
): Promise<void> {
  await sql.query('BEGIN');
  await sql.query(
    `INSERT INTO orders (id, number, user_id, status, payment_status, currency, subtotal_minor, discount_minor,
       shipping_minor, tax_minor, total_minor, payment_method, payment_expires_at, paid_at, created_at, updated_at,
       shipping_method_id, shipping_method_name, shipping_address)
     SELECT ${id(KIND.order)}, 'SOLD-' || n, $2, 'DELIVERED', 'PAID', 'USD', 10000, 0, 0, 0, 10000, 'CARD', now(), now(),
       now(), now(), $3, 'Parcel', '{}'
     FROM generate_series($4::int, $4::int + $1::int - 1) n`,
    [count, buyerId, methodId, from],
  );
  await sql.query(
    `INSERT INTO order_items (id, order_id, position, product_id, name, sku, quantity, unit_price_minor, total_minor,
       discount_minor, tax_minor, commission_bp, career_points_bp)
     SELECT ${id(KIND.item)}, ${id(KIND.order)}, 0, (SELECT id FROM products LIMIT 1), 'Thing', 'THING', 1, 10000, 10000, 0, 0,
       1000, 10000
     FROM generate_series($2::int, $2::int + $1::int - 1) n`,
    [count, from],
  );
  await sql.query(
    `WITH announced AS (
       INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
     SELECT ${id(KIND.event)}, 'order.paid', 'order.paid:' || ${id(KIND.order)}, ${id(KIND.order)},
       json_build_object('orderId', ${id(KIND.order)}, 'goodsMinor', 10000, 'currency', 'USD', 'isFirst', false), now()
     FROM generate_series($2::int, $2::int + $1::int - 1) n
       RETURNING position, entity_id, type, occurred_at)
     INSERT INTO event_deliveries (consumer, position, entity_id, type, occurred_at) SELECT 'commissions', position, entity_id, type, occurred_at FROM announced`,
    [count, from],
  );
  await sql.query('COMMIT');
}

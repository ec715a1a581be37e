import type { QueryInterface } from 'sequelize';

/** What happened that other areas act on: written in the transaction that makes it true, taken when they get to it. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE domain_events (
      id uuid PRIMARY KEY,
      type text NOT NULL CONSTRAINT domain_events_type_check CHECK (type IN ('order.paid', 'refund.completed')),
      reference text NOT NULL CONSTRAINT domain_events_reference_key UNIQUE,
      entity_id uuid NOT NULL,
      data jsonb NOT NULL,
      occurred_at timestamptz NOT NULL,
      taken_at timestamptz
    );
    CREATE INDEX domain_events_untaken_idx ON domain_events (occurred_at, id) WHERE taken_at IS NULL;
    CREATE INDEX domain_events_entity_idx ON domain_events (entity_id);

    INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
    SELECT gen_random_uuid(), 'order.paid', 'order.paid:' || id, id, json_build_object(
      'orderId', id, 'goodsMinor', subtotal_minor - discount_minor, 'currency', currency), paid_at
    FROM orders WHERE paid_at IS NOT NULL
    UNION ALL
    SELECT gen_random_uuid(), 'refund.completed', 'refund.completed:' || id, id, json_build_object('orderId', id,
      'refundRequestId', NULL, 'goodsMinor', subtotal_minor - discount_minor, 'currency', currency, 'full', true), updated_at
    FROM orders WHERE paid_at IS NOT NULL AND status = 'CANCELLED';
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`DROP TABLE domain_events;`);
}

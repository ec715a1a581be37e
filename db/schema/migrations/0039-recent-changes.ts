import type { QueryInterface } from 'sequelize';

/** Checks of processes read what changed lately: indexes by the moment, and whether a check looked at everything. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE invariant_runs ADD COLUMN whole boolean NOT NULL DEFAULT true;
    ALTER TABLE invariant_runs ALTER COLUMN whole SET DEFAULT false;
    CREATE INDEX orders_updated_idx ON orders (updated_at, id);
    CREATE INDEX users_updated_idx ON users (updated_at, id);
    CREATE INDEX webhook_events_processed_idx ON webhook_events (processed_at, id) WHERE processed_at IS NOT NULL;
    CREATE INDEX refund_requests_concluded_idx ON refund_requests (concluded_at, id) WHERE concluded_at IS NOT NULL;
    CREATE INDEX payment_refunds_settled_idx ON payment_refunds ((coalesce(completed_at, created_at)), id)
      WHERE status <> 'PROCESSING';
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP INDEX payment_refunds_settled_idx, refund_requests_concluded_idx, webhook_events_processed_idx,
      users_updated_idx, orders_updated_idx;
    ALTER TABLE invariant_runs DROP COLUMN whole;
  `);
}

import type { QueryInterface } from 'sequelize';

/** What a provider reported is deleted some time after it was dealt with, and what retention looks for is indexed. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE webhook_events ALTER COLUMN body DROP NOT NULL;
    ALTER TABLE webhook_events ADD CONSTRAINT webhook_events_body_check
      CHECK (body IS NOT NULL OR status IN ('PROCESSED', 'IGNORED', 'DEAD'));
    CREATE INDEX webhook_events_body_idx ON webhook_events ((coalesce(processed_at, received_at)))
      WHERE body IS NOT NULL AND status IN ('PROCESSED', 'IGNORED');
    CREATE INDEX sandbox_payments_created_idx ON sandbox_payments (created_at);
    CREATE INDEX sandbox_events_payment_idx ON sandbox_events (payment_id);
    CREATE INDEX sandbox_refunds_payment_idx ON sandbox_refunds (payment_id);
    CREATE INDEX users_erased_idx ON users (erased_at) WHERE erased_at IS NOT NULL;
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP INDEX users_erased_idx, sandbox_refunds_payment_idx, sandbox_events_payment_idx, sandbox_payments_created_idx,
      webhook_events_body_idx;
    ALTER TABLE webhook_events DROP CONSTRAINT webhook_events_body_check;
    UPDATE webhook_events SET body = '' WHERE body IS NULL;
    ALTER TABLE webhook_events ALTER COLUMN body SET NOT NULL;
  `);
}

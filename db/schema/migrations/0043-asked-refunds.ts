import type { QueryInterface } from 'sequelize';

/**
 * When a provider was first asked to send a refund, so that every later try looks it up first. What is older may have
 * been asked for; the parts of a refund count as asked for as it does. And what the provider has said of it since.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE payment_refunds
      ADD COLUMN asked_at timestamptz,
      -- The provider has it pending since then, and sends it by itself.
      ADD COLUMN pending_since timestamptz,
      -- The provider's refund that it had reported as sent, and could not deliver.
      ADD COLUMN returned_reference text,
      -- Its provider has last said of an attempt then that it has it, or refuses it.
      ADD COLUMN answered_at timestamptz,
      -- The number of the attempt that sends it; the next one begins after a refusal that is certain, or when what was sent came back.
      ADD COLUMN sendings integer NOT NULL DEFAULT 1 CONSTRAINT payment_refunds_sendings_check CHECK (sendings > 0),
      ADD CONSTRAINT payment_refunds_pending_check CHECK (pending_since IS NULL OR answered_at IS NOT NULL);
    CREATE INDEX payment_refunds_returned_idx ON payment_refunds (id) WHERE returned_reference IS NOT NULL;
    UPDATE payment_refunds SET asked_at = created_at;

    -- Refunds that a provider could not deliver, ours or made at the provider: each is final, whatever is reported later.
    CREATE TABLE failed_refunds (
      provider text NOT NULL,
      -- The provider's id of it.
      provider_refund_id text NOT NULL,
      capture_id uuid NOT NULL CONSTRAINT failed_refunds_capture_fkey REFERENCES payment_captures (id),
      failed_at timestamptz NOT NULL,
      CONSTRAINT failed_refunds_pkey PRIMARY KEY (provider, provider_refund_id)
    );
    CREATE INDEX failed_refunds_capture_idx ON failed_refunds (capture_id);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE failed_refunds;
    ALTER TABLE payment_refunds DROP COLUMN sendings, DROP COLUMN answered_at, DROP COLUMN returned_reference, DROP COLUMN pending_since,
      DROP COLUMN asked_at;
  `);
}

import type { QueryInterface } from 'sequelize';

/** Money that a buyer's bank took back, and what a provider calls the payments that we opened with it. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE payment_attempts ADD COLUMN provider_reference text, ADD COLUMN payment_url text;
    CREATE UNIQUE INDEX payment_attempts_provider_reference_key ON payment_attempts (provider, provider_reference);

    -- A bank asks nobody, so what it takes is written down whatever was given back before; new refunds heed it.
    ALTER TABLE payment_captures ADD COLUMN charged_back_minor bigint NOT NULL DEFAULT 0
      CONSTRAINT payment_captures_charged_back_check CHECK (charged_back_minor BETWEEN 0 AND amount_minor);

    CREATE TABLE chargebacks (
      id uuid PRIMARY KEY,
      capture_id uuid NOT NULL CONSTRAINT chargebacks_capture_fkey REFERENCES payment_captures (id),
      order_id uuid NOT NULL CONSTRAINT chargebacks_order_fkey REFERENCES orders (id),
      provider text NOT NULL,
      provider_chargeback_id text NOT NULL,
      amount_minor bigint NOT NULL CONSTRAINT chargebacks_amount_check CHECK (amount_minor > 0),
      currency text NOT NULL,
      status text NOT NULL CONSTRAINT chargebacks_status_check CHECK (status IN ('TAKEN', 'RETURNED')),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT chargebacks_provider_key UNIQUE (provider, provider_chargeback_id)
    );
    CREATE INDEX chargebacks_capture_idx ON chargebacks (capture_id);
    CREATE INDEX chargebacks_order_idx ON chargebacks (order_id);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE chargebacks;
    ALTER TABLE payment_captures DROP COLUMN charged_back_minor;
    DROP INDEX payment_attempts_provider_reference_key;
    ALTER TABLE payment_attempts DROP COLUMN payment_url, DROP COLUMN provider_reference;
  `);
}

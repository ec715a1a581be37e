import type { QueryInterface } from 'sequelize';

/** The sandbox provider's own records: all that it would know if it were another company. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE sandbox_payments (
      id uuid PRIMARY KEY,
      payment_key uuid NOT NULL,
      amount_minor bigint NOT NULL,
      currency text NOT NULL,
      status text NOT NULL CONSTRAINT sandbox_payments_status_check CHECK (status IN ('PAID', 'DECLINED', 'EXPIRED')),
      created_at timestamptz NOT NULL,
      fee_minor bigint NOT NULL DEFAULT 0 CONSTRAINT sandbox_payments_fee_check CHECK (fee_minor >= 0)
    );
    CREATE INDEX sandbox_payments_key_idx ON sandbox_payments (payment_key);
    CREATE INDEX sandbox_payments_created_idx ON sandbox_payments (created_at);

    CREATE TABLE sandbox_refunds (
      key text PRIMARY KEY,
      id uuid NOT NULL,
      payment_id text NOT NULL,
      amount_minor bigint NOT NULL CONSTRAINT sandbox_refunds_amount_check CHECK (amount_minor > 0),
      currency text NOT NULL,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX sandbox_refunds_payment_idx ON sandbox_refunds (payment_id);

    CREATE TABLE sandbox_events (
      id uuid PRIMARY KEY,
      type text NOT NULL,
      payment_id uuid NOT NULL CONSTRAINT sandbox_events_payment_fkey REFERENCES sandbox_payments (id),
      delay_ms integer NOT NULL,
      created_at timestamptz NOT NULL,
      delivered_at timestamptz
    );
    CREATE INDEX sandbox_events_payment_idx ON sandbox_events (payment_id);

    CREATE TABLE sandbox_transfers (
      key text PRIMARY KEY,
      id uuid NOT NULL CONSTRAINT sandbox_transfers_id_key UNIQUE,
      amount_minor bigint NOT NULL CONSTRAINT sandbox_transfers_amount_check CHECK (amount_minor > 0),
      currency text NOT NULL,
      status text NOT NULL CONSTRAINT sandbox_transfers_status_check CHECK (status IN ('UNDER_WAY', 'ARRIVED', 'REFUSED')),
      created_at timestamptz NOT NULL,
      -- Some arrive twice, and some are carried out without a response, as transfers of real providers may.
      copies smallint NOT NULL DEFAULT 1
        CONSTRAINT sandbox_transfers_copies_check CHECK (copies = 1 OR (copies = 2 AND status = 'ARRIVED')),
      loses_answer boolean NOT NULL DEFAULT false,
      ended_at timestamptz,
      CONSTRAINT sandbox_transfers_ended_check CHECK ((ended_at IS NULL) = (status = 'UNDER_WAY'))
    );
    CREATE INDEX sandbox_transfers_created_idx ON sandbox_transfers (created_at DESC, id DESC);
    CREATE INDEX sandbox_transfers_ended_idx ON sandbox_transfers (ended_at);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE sandbox_transfers, sandbox_events, sandbox_refunds, sandbox_payments;
  `);
}

import type { QueryInterface } from 'sequelize';

/** Top-ups: money that users pay into their wallets. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE SEQUENCE top_up_numbers;

    CREATE TABLE top_ups (
      id uuid PRIMARY KEY,
      number text NOT NULL CONSTRAINT top_ups_number_key UNIQUE,
      user_id uuid NOT NULL CONSTRAINT top_ups_user_fkey REFERENCES users (id),
      status text NOT NULL CONSTRAINT top_ups_status_check CHECK (status IN ('PENDING_PAYMENT', 'PAID', 'CANCELLED')),
      amount_minor bigint NOT NULL CONSTRAINT top_ups_amount_check CHECK (amount_minor BETWEEN 1 AND 999999999999),
      currency text NOT NULL CONSTRAINT top_ups_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      payment_method text NOT NULL CONSTRAINT top_ups_payment_method_check
        CHECK (payment_method IN ('CARD', 'EWALLET', 'BANK_TRANSFER')),
      payment_status text NOT NULL CONSTRAINT top_ups_payment_status_check
        CHECK (payment_status IN ('PENDING', 'PAID', 'FAILED', 'REFUNDED')),
      payment_expires_at timestamptz NOT NULL,
      paid_at timestamptz,
      ended_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT top_ups_paid_check CHECK ((status = 'PAID') = (paid_at IS NOT NULL)
        AND (status = 'PAID') = (payment_status = 'PAID')),
      CONSTRAINT top_ups_ended_check CHECK ((status = 'PENDING_PAYMENT') = (ended_at IS NULL))
    );
    CREATE INDEX top_ups_due_idx ON top_ups (payment_expires_at, id) WHERE status = 'PENDING_PAYMENT';
    CREATE INDEX top_ups_user_idx ON top_ups (user_id, created_at DESC, id);
    CREATE INDEX top_ups_created_idx ON top_ups (created_at DESC, id);
  `);
}

/** The money of top-ups stays booked; the rows that explain it are gone. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE top_ups;
    DROP SEQUENCE top_up_numbers;
  `);
}

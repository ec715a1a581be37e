import type { QueryInterface } from 'sequelize';

/** Payment attempts, the money that arrived, the money that goes back, and what providers report. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE payment_attempts (
      id uuid PRIMARY KEY,
      order_id uuid NOT NULL CONSTRAINT payment_attempts_order_fkey REFERENCES orders (id),
      sequence integer NOT NULL,
      provider text NOT NULL,
      method text NOT NULL
        CONSTRAINT payment_attempts_method_check CHECK (method IN ('CARD', 'BANK_TRANSFER', 'EWALLET', 'BALANCE')),
      amount_minor bigint NOT NULL CONSTRAINT payment_attempts_amount_check CHECK (amount_minor >= 0),
      currency text NOT NULL,
      status text NOT NULL CONSTRAINT payment_attempts_status_check
        CHECK (status IN ('PENDING', 'PAID', 'DECLINED', 'EXPIRED', 'CANCELLED')),
      expires_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT payment_attempts_sequence_key UNIQUE (order_id, sequence)
    );
    -- Money can be applied to an order once, whichever attempt or message it comes by.
    CREATE UNIQUE INDEX payment_attempts_one_paid_key ON payment_attempts (order_id) WHERE status = 'PAID';

    CREATE TABLE payment_captures (
      id uuid PRIMARY KEY,
      attempt_id uuid NOT NULL CONSTRAINT payment_captures_attempt_fkey REFERENCES payment_attempts (id),
      order_id uuid NOT NULL CONSTRAINT payment_captures_order_fkey REFERENCES orders (id),
      provider text NOT NULL,
      provider_payment_id text NOT NULL,
      amount_minor bigint NOT NULL CONSTRAINT payment_captures_amount_check CHECK (amount_minor > 0),
      refunded_minor bigint NOT NULL DEFAULT 0,
      currency text NOT NULL,
      applied boolean NOT NULL,
      captured_at timestamptz NOT NULL,
      CONSTRAINT payment_captures_provider_payment_key UNIQUE (provider, provider_payment_id),
      CONSTRAINT payment_captures_refunded_check CHECK (refunded_minor BETWEEN 0 AND amount_minor)
    );
    CREATE INDEX payment_captures_order_idx ON payment_captures (order_id);
    CREATE UNIQUE INDEX payment_captures_one_applied_key ON payment_captures (order_id) WHERE applied;

    CREATE TABLE payment_refunds (
      id uuid PRIMARY KEY,
      order_id uuid NOT NULL CONSTRAINT payment_refunds_order_fkey REFERENCES orders (id),
      capture_id uuid NOT NULL CONSTRAINT payment_refunds_capture_fkey REFERENCES payment_captures (id),
      reason text NOT NULL
        CONSTRAINT payment_refunds_reason_check CHECK (reason IN ('CANCELLATION', 'LATE_PAYMENT', 'DUPLICATE_PAYMENT')),
      amount_minor bigint NOT NULL CONSTRAINT payment_refunds_amount_check CHECK (amount_minor > 0),
      currency text NOT NULL,
      status text NOT NULL
        CONSTRAINT payment_refunds_status_check CHECK (status IN ('PROCESSING', 'COMPLETED', 'ABANDONED')),
      provider_refund_id text,
      created_at timestamptz NOT NULL,
      completed_at timestamptz
    );
    CREATE INDEX payment_refunds_order_idx ON payment_refunds (order_id);
    CREATE INDEX payment_refunds_open_idx ON payment_refunds (created_at) WHERE status = 'PROCESSING';

    CREATE TABLE webhook_events (
      id uuid PRIMARY KEY,
      provider text NOT NULL,
      external_event_id text NOT NULL,
      type text NOT NULL,
      body text NOT NULL,
      body_hash text NOT NULL,
      status text NOT NULL CONSTRAINT webhook_events_status_check
        CHECK (status IN ('RECEIVED', 'PROCESSED', 'WAITING', 'IGNORED', 'DEAD')),
      attempts integer NOT NULL DEFAULT 0,
      replays integer NOT NULL DEFAULT 0,
      last_error text,
      received_at timestamptz NOT NULL,
      started_at timestamptz,
      processed_at timestamptz,
      start_failures integer NOT NULL DEFAULT 0,
      start_failed_at timestamptz,
      CONSTRAINT webhook_events_external_key UNIQUE (provider, external_event_id)
    );
    CREATE INDEX webhook_events_unstarted_idx ON webhook_events (received_at) WHERE started_at IS NULL;
    CREATE INDEX webhook_events_unfinished_idx ON webhook_events (status) WHERE status IN ('RECEIVED', 'WAITING', 'DEAD');
    CREATE INDEX webhook_events_received_idx ON webhook_events (received_at, id);

    -- The sandbox provider's own books: what it would know if it were another company.
    CREATE TABLE sandbox_payments (
      id uuid PRIMARY KEY,
      payment_key uuid NOT NULL,
      amount_minor bigint NOT NULL,
      currency text NOT NULL,
      status text NOT NULL CONSTRAINT sandbox_payments_status_check CHECK (status IN ('PAID', 'DECLINED', 'EXPIRED')),
      created_at timestamptz NOT NULL
    );
    CREATE INDEX sandbox_payments_key_idx ON sandbox_payments (payment_key);
    CREATE TABLE sandbox_refunds (
      key text PRIMARY KEY,
      id uuid NOT NULL,
      payment_id text NOT NULL,
      amount_minor bigint NOT NULL CONSTRAINT sandbox_refunds_amount_check CHECK (amount_minor > 0),
      currency text NOT NULL,
      created_at timestamptz NOT NULL
    );
    CREATE TABLE sandbox_events (
      id uuid PRIMARY KEY,
      type text NOT NULL,
      payment_id uuid NOT NULL CONSTRAINT sandbox_events_payment_fkey REFERENCES sandbox_payments (id),
      delay_ms integer NOT NULL,
      created_at timestamptz NOT NULL,
      delivered_at timestamptz
    );
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE sandbox_events, sandbox_refunds, sandbox_payments, webhook_events, payment_refunds, payment_captures,
      payment_attempts;
  `);
}

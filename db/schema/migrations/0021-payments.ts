import type { QueryInterface } from 'sequelize';

/**
 * Payments: attempts, the money that arrived, and what a buyer's bank took back. Each is of one order, participation,
 * entrance or top-up. A comparison with a provider's statement reads a day of each, and finds one by the provider's id
 * and by our key.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE payment_attempts (
      id uuid PRIMARY KEY,
      order_id uuid CONSTRAINT payment_attempts_order_fkey REFERENCES orders (id),
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
      -- The provider's id of the payment that was opened with it, and its page.
      provider_reference text,
      payment_url text,
      -- The bank account that the buyer was shown.
      bank_details jsonb,
      participation_id uuid CONSTRAINT payment_attempts_participation_fkey REFERENCES participations (id),
      entrance_id uuid CONSTRAINT payment_attempts_entrance_fkey REFERENCES partner_entrances (id),
      top_up_id uuid CONSTRAINT payment_attempts_top_up_fkey REFERENCES top_ups (id),
      CONSTRAINT payment_attempts_sequence_key UNIQUE (order_id, sequence),
      CONSTRAINT payment_attempts_payable_check
        CHECK (num_nonnulls(order_id, participation_id, entrance_id, top_up_id) = 1)
    );
    -- Money can be applied to an order once, whichever attempt or message it comes by; and so to anything else.
    CREATE UNIQUE INDEX payment_attempts_one_paid_key ON payment_attempts (order_id) WHERE status = 'PAID';
    CREATE UNIQUE INDEX payment_attempts_one_paid_participation_key ON payment_attempts (participation_id)
      WHERE status = 'PAID' AND participation_id IS NOT NULL;
    CREATE UNIQUE INDEX payment_attempts_one_paid_entrance_key ON payment_attempts (entrance_id)
      WHERE status = 'PAID' AND entrance_id IS NOT NULL;
    CREATE UNIQUE INDEX payment_attempts_one_paid_top_up_key ON payment_attempts (top_up_id)
      WHERE status = 'PAID' AND top_up_id IS NOT NULL;
    CREATE UNIQUE INDEX payment_attempts_participation_sequence_key ON payment_attempts (participation_id, sequence)
      WHERE participation_id IS NOT NULL;
    CREATE UNIQUE INDEX payment_attempts_entrance_sequence_key ON payment_attempts (entrance_id, sequence)
      WHERE entrance_id IS NOT NULL;
    CREATE UNIQUE INDEX payment_attempts_top_up_sequence_key ON payment_attempts (top_up_id, sequence)
      WHERE top_up_id IS NOT NULL;
    CREATE UNIQUE INDEX payment_attempts_provider_reference_key ON payment_attempts (provider, provider_reference);

    CREATE TABLE payment_captures (
      id uuid PRIMARY KEY,
      -- Null of a transfer that belongs to no attempt.
      attempt_id uuid CONSTRAINT payment_captures_attempt_fkey REFERENCES payment_attempts (id),
      order_id uuid CONSTRAINT payment_captures_order_fkey REFERENCES orders (id),
      provider text NOT NULL,
      provider_payment_id text NOT NULL,
      amount_minor bigint NOT NULL CONSTRAINT payment_captures_amount_check CHECK (amount_minor > 0),
      refunded_minor bigint NOT NULL DEFAULT 0,
      currency text NOT NULL,
      applied boolean NOT NULL,
      captured_at timestamptz NOT NULL,
      -- A bank asks nobody, so what it takes is written down whatever was given back before; new refunds observe it.
      charged_back_minor bigint NOT NULL DEFAULT 0
        CONSTRAINT payment_captures_charged_back_check CHECK (charged_back_minor BETWEEN 0 AND amount_minor),
      -- Of the refunds: the part that reached the buyer by chargebacks, so that it counts once against the capture.
      refunds_charged_back_minor bigint NOT NULL DEFAULT 0,
      participation_id uuid CONSTRAINT payment_captures_participation_fkey REFERENCES participations (id),
      entrance_id uuid CONSTRAINT payment_captures_entrance_fkey REFERENCES partner_entrances (id),
      top_up_id uuid CONSTRAINT payment_captures_top_up_fkey REFERENCES top_ups (id),
      CONSTRAINT payment_captures_provider_payment_key UNIQUE (provider, provider_payment_id),
      CONSTRAINT payment_captures_refunded_check CHECK (refunded_minor BETWEEN 0 AND amount_minor),
      CONSTRAINT payment_captures_refunds_charged_back_check
        CHECK (refunds_charged_back_minor BETWEEN 0 AND least(refunded_minor, charged_back_minor)),
      CONSTRAINT payment_captures_attempt_check
        CHECK (attempt_id IS NOT NULL OR (provider = 'bank' AND NOT applied)),
      CONSTRAINT payment_captures_payable_check
        CHECK (num_nonnulls(order_id, participation_id, entrance_id, top_up_id) = 1)
    );
    CREATE UNIQUE INDEX payment_captures_one_applied_key ON payment_captures (order_id) WHERE applied;
    CREATE UNIQUE INDEX payment_captures_one_applied_participation_key ON payment_captures (participation_id)
      WHERE applied AND participation_id IS NOT NULL;
    CREATE UNIQUE INDEX payment_captures_one_applied_entrance_key ON payment_captures (entrance_id)
      WHERE applied AND entrance_id IS NOT NULL;
    CREATE UNIQUE INDEX payment_captures_one_applied_top_up_key ON payment_captures (top_up_id)
      WHERE applied AND top_up_id IS NOT NULL;
    -- To a bank, BANK-7, bank-7 and BANK 7 are one reference, which stands for one transfer.
    CREATE UNIQUE INDEX payment_captures_bank_reference_key ON payment_captures
      (upper(regexp_replace(provider_payment_id, '[\\s\\u00a0\\u202f]', '', 'g'))) WHERE provider = 'bank';
    CREATE INDEX payment_captures_order_idx ON payment_captures (order_id);
    CREATE INDEX payment_captures_participation_idx ON payment_captures (participation_id)
      WHERE participation_id IS NOT NULL;
    CREATE INDEX payment_captures_entrance_idx ON payment_captures (entrance_id) WHERE entrance_id IS NOT NULL;
    CREATE INDEX payment_captures_top_up_idx ON payment_captures (top_up_id) WHERE top_up_id IS NOT NULL;
    CREATE INDEX payment_captures_captured_idx ON payment_captures (provider, captured_at);
    CREATE INDEX payment_captures_attempt_idx ON payment_captures (attempt_id);

    CREATE TABLE chargebacks (
      id uuid PRIMARY KEY,
      capture_id uuid NOT NULL CONSTRAINT chargebacks_capture_fkey REFERENCES payment_captures (id),
      order_id uuid CONSTRAINT chargebacks_order_fkey REFERENCES orders (id),
      provider text NOT NULL,
      provider_chargeback_id text NOT NULL,
      amount_minor bigint NOT NULL CONSTRAINT chargebacks_amount_check CHECK (amount_minor > 0),
      currency text NOT NULL,
      status text NOT NULL CONSTRAINT chargebacks_status_check CHECK (status IN ('TAKEN', 'LOST', 'RETURNED')),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      -- The sum that the provider took for it, in the currency in which it has our account.
      fee_minor bigint NOT NULL DEFAULT 0,
      fee_currency text CONSTRAINT chargebacks_fee_currency_check CHECK (fee_currency ~ '^[A-Z]{3}$'),
      participation_id uuid CONSTRAINT chargebacks_participation_fkey REFERENCES participations (id),
      entrance_id uuid CONSTRAINT chargebacks_entrance_fkey REFERENCES partner_entrances (id),
      top_up_id uuid CONSTRAINT chargebacks_top_up_fkey REFERENCES top_ups (id),
      CONSTRAINT chargebacks_provider_key UNIQUE (provider, provider_chargeback_id),
      CONSTRAINT chargebacks_fee_check CHECK (fee_minor >= 0 AND (fee_minor = 0 OR fee_currency IS NOT NULL)),
      CONSTRAINT chargebacks_payable_check
        CHECK (num_nonnulls(order_id, participation_id, entrance_id, top_up_id) = 1)
    );
    CREATE INDEX chargebacks_capture_idx ON chargebacks (capture_id);
    CREATE INDEX chargebacks_order_idx ON chargebacks (order_id);
    CREATE INDEX chargebacks_participation_idx ON chargebacks (participation_id) WHERE participation_id IS NOT NULL;
    CREATE INDEX chargebacks_entrance_idx ON chargebacks (entrance_id) WHERE entrance_id IS NOT NULL;
    CREATE INDEX chargebacks_top_up_idx ON chargebacks (top_up_id) WHERE top_up_id IS NOT NULL;
    CREATE INDEX chargebacks_created_idx ON chargebacks (provider, created_at);
    CREATE INDEX chargebacks_updated_idx ON chargebacks (provider, updated_at);
  `);
}

/** The money of payments stays booked; the rows that explain it are gone. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE chargebacks, payment_captures, payment_attempts;
  `);
}

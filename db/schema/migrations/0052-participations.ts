import type { QueryInterface } from 'sequelize';

/** What people put into strategies, how it moved and was paid out, and what providers report. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE SEQUENCE participation_numbers;

    CREATE TABLE participations (
      id uuid PRIMARY KEY,
      number text NOT NULL CONSTRAINT participations_number_key UNIQUE,
      user_id uuid NOT NULL CONSTRAINT participations_user_fkey REFERENCES users (id),
      strategy_id uuid NOT NULL CONSTRAINT participations_strategy_fkey REFERENCES investment_strategies (id),
      provider_code text NOT NULL CONSTRAINT participations_provider_fkey REFERENCES investment_providers (code),
      origin text NOT NULL
        CONSTRAINT participations_origin_check CHECK (origin IN ('PLATFORM', 'PROVIDER', 'REINVESTMENT')),
      reinvested_from_id uuid CONSTRAINT participations_reinvested_fkey REFERENCES participations (id)
        CONSTRAINT participations_reinvested_from_key UNIQUE,
      -- The provider's own id of it, once it has reported it.
      external_id text,
      status text NOT NULL CONSTRAINT participations_status_check
        CHECK (status IN ('PENDING_PAYMENT', 'ACTIVE', 'MATURED', 'WITHDRAWN', 'CANCELLED')),
      amount_minor bigint NOT NULL CONSTRAINT participations_amount_check CHECK (amount_minor BETWEEN 1 AND 999999999999),
      currency text NOT NULL CONSTRAINT participations_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      duration_days integer NOT NULL CONSTRAINT participations_duration_check CHECK (duration_days BETWEEN 1 AND 36500),
      compounding boolean NOT NULL,
      auto_reinvest boolean NOT NULL,
      return_min_bp integer NOT NULL,
      return_max_bp integer NOT NULL,
      return_expected_bp integer NOT NULL,
      return_type text NOT NULL,
      payout_frequency text NOT NULL,
      lock_days integer NOT NULL,
      early_withdrawal_allowed boolean NOT NULL,
      early_withdrawal_penalty_bp integer,
      commission_bp integer NOT NULL,
      career_points_bp integer NOT NULL,
      payment_method text CONSTRAINT participations_payment_method_check
        CHECK (payment_method IN ('CARD', 'BANK_TRANSFER', 'BALANCE')),
      payment_status text NOT NULL CONSTRAINT participations_payment_status_check
        CHECK (payment_status IN ('PENDING', 'PAID', 'FAILED', 'REFUNDED')),
      payment_expires_at timestamptz,
      paid_at timestamptz,
      started_at timestamptz,
      matures_at timestamptz,
      ended_at timestamptz,
      -- Principal that its provider has paid out while it runs.
      withdrawn_minor bigint NOT NULL DEFAULT 0
        CONSTRAINT participations_withdrawn_check CHECK (withdrawn_minor BETWEEN 0 AND amount_minor),
      -- The sum of its PROFIT transactions.
      earned_minor bigint NOT NULL DEFAULT 0,
      -- The provider's last word on its value; null: it has said nothing.
      reported_value_minor bigint CONSTRAINT participations_reported_value_check
        CHECK (reported_value_minor BETWEEN 0 AND 999999999999),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT participations_external_key UNIQUE (provider_code, external_id),
      CONSTRAINT participations_origin_reinvested_check
        CHECK ((origin = 'REINVESTMENT') = (reinvested_from_id IS NOT NULL)),
      CONSTRAINT participations_origin_method_check CHECK ((origin = 'PLATFORM') = (payment_method IS NOT NULL)),
      CONSTRAINT participations_pending_check
        CHECK (status <> 'PENDING_PAYMENT' OR (payment_expires_at IS NOT NULL AND started_at IS NULL)),
      CONSTRAINT participations_started_check CHECK (status NOT IN ('ACTIVE', 'MATURED', 'WITHDRAWN')
        OR (started_at IS NOT NULL AND matures_at >= started_at AND payment_status IN ('PAID', 'REFUNDED'))),
      CONSTRAINT participations_cancelled_check CHECK (status <> 'CANCELLED' OR started_at IS NULL),
      CONSTRAINT participations_ended_check
        CHECK ((status IN ('MATURED', 'WITHDRAWN', 'CANCELLED')) = (ended_at IS NOT NULL))
    );
    CREATE INDEX participations_user_idx ON participations (user_id, created_at DESC, id);
    -- With all that the financials of a strategy add up, so that its participations need not be read for them.
    CREATE INDEX participations_strategy_idx ON participations (strategy_id, status)
      INCLUDE (amount_minor, withdrawn_minor, earned_minor, return_expected_bp, started_at, matures_at);
    CREATE INDEX participations_provider_user_idx ON participations (provider_code, user_id);
    CREATE INDEX participations_created_idx ON participations (created_at DESC, id);
    CREATE INDEX participations_running_idx ON participations (matures_at, id) WHERE status = 'ACTIVE';
    CREATE INDEX participations_pending_idx ON participations (payment_expires_at, id) WHERE status = 'PENDING_PAYMENT';
    -- Never altered: a correction is another transaction.
    CREATE TABLE investment_transactions (
      id uuid PRIMARY KEY,
      participation_id uuid NOT NULL
        CONSTRAINT investment_transactions_participation_fkey REFERENCES participations (id),
      user_id uuid NOT NULL CONSTRAINT investment_transactions_user_fkey REFERENCES users (id),
      type text NOT NULL CONSTRAINT investment_transactions_type_check
        CHECK (type IN ('DEPOSIT', 'PROFIT', 'WITHDRAWAL', 'PENALTY')),
      amount_minor bigint NOT NULL,
      currency text NOT NULL,
      provider_code text NOT NULL,
      external_id text,
      webhook_event_id uuid,
      period text,
      occurred_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      -- A loss is a PROFIT below zero.
      CONSTRAINT investment_transactions_amount_check CHECK (amount_minor <> 0 AND (type = 'PROFIT' OR amount_minor > 0))
    );
    CREATE UNIQUE INDEX investment_transactions_deposit_key ON investment_transactions (participation_id)
      WHERE type = 'DEPOSIT';
    CREATE UNIQUE INDEX investment_transactions_external_key
      ON investment_transactions (provider_code, type, external_id) WHERE external_id IS NOT NULL;
    CREATE INDEX investment_transactions_participation_idx ON investment_transactions (participation_id, occurred_at, id);
    CREATE INDEX investment_transactions_event_idx ON investment_transactions (webhook_event_id)
      WHERE webhook_event_id IS NOT NULL;
    CREATE INDEX investment_transactions_user_idx ON investment_transactions (user_id, occurred_at, id);

    -- The values that providers reported, for the course of a portfolio.
    CREATE TABLE participation_values (
      participation_id uuid NOT NULL
        CONSTRAINT participation_values_participation_fkey REFERENCES participations (id),
      reported_at timestamptz NOT NULL,
      value_minor bigint NOT NULL
        CONSTRAINT participation_values_value_check CHECK (value_minor BETWEEN 0 AND 999999999999),
      CONSTRAINT participation_values_pkey PRIMARY KEY (participation_id, reported_at)
    );
    -- One value a day (UTC), the newest.
    CREATE UNIQUE INDEX participation_values_day_key
      ON participation_values (participation_id, ((reported_at AT TIME ZONE 'UTC')::date));

    CREATE TABLE investment_withdrawals (
      id uuid PRIMARY KEY,
      participation_id uuid NOT NULL
        CONSTRAINT investment_withdrawals_participation_fkey REFERENCES participations (id)
        CONSTRAINT investment_withdrawals_participation_key UNIQUE,
      user_id uuid NOT NULL CONSTRAINT investment_withdrawals_user_fkey REFERENCES users (id),
      method text NOT NULL CONSTRAINT investment_withdrawals_method_check
        CHECK (method IN ('BANK_CARD', 'BANK_TRANSFER', 'BALANCE')),
      status text NOT NULL CONSTRAINT investment_withdrawals_status_check
        CHECK (status IN ('PROCESSING', 'COMPLETED', 'CREDITED')),
      principal_minor bigint NOT NULL CONSTRAINT investment_withdrawals_principal_check CHECK (principal_minor > 0),
      returns_minor bigint NOT NULL,
      penalty_minor bigint NOT NULL CONSTRAINT investment_withdrawals_penalty_check CHECK (penalty_minor >= 0),
      net_minor bigint NOT NULL,
      currency text NOT NULL,
      -- Where the money goes, sealed; null for BALANCE, and some time after it has arrived.
      details bytea,
      masked_details text,
      provider text,
      transfer_reference text,
      sendings integer NOT NULL DEFAULT 0 CONSTRAINT investment_withdrawals_sendings_check CHECK (sendings >= 0),
      asked_at timestamptz,
      refused_because text,
      estimated_on date NOT NULL,
      created_at timestamptz NOT NULL,
      ended_at timestamptz,
      CONSTRAINT investment_withdrawals_net_check
        CHECK (net_minor = greatest(0, principal_minor + returns_minor - penalty_minor)),
      CONSTRAINT investment_withdrawals_ended_check CHECK ((status = 'PROCESSING') = (ended_at IS NULL))
    );
    CREATE INDEX investment_withdrawals_user_idx ON investment_withdrawals (user_id, created_at DESC);
    CREATE INDEX investment_withdrawals_open_idx ON investment_withdrawals (created_at) WHERE status = 'PROCESSING';

    ALTER TABLE webhook_events ADD COLUMN kind text NOT NULL DEFAULT 'PAYMENT';
    ALTER TABLE webhook_events
      ADD CONSTRAINT webhook_events_kind_check CHECK (kind IN ('PAYMENT', 'INVESTMENT')) NOT VALID;

    -- A provider's own word on a user's identity: evidence for the reviewer, never an approval.
    CREATE TABLE kyc_provider_reports (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT kyc_provider_reports_user_fkey REFERENCES users (id),
      provider_code text NOT NULL
        CONSTRAINT kyc_provider_reports_provider_fkey REFERENCES investment_providers (code),
      status text NOT NULL,
      level text NOT NULL,
      data bytea,
      webhook_event_id uuid NOT NULL CONSTRAINT kyc_provider_reports_event_key UNIQUE,
      received_at timestamptz NOT NULL
    );
    CREATE INDEX kyc_provider_reports_user_idx ON kyc_provider_reports (user_id, received_at DESC);

    -- What a provider has accepted of a user's verification, so that only changes are pushed, and what it refused last.
    CREATE TABLE kyc_pushes (
      provider_code text NOT NULL CONSTRAINT kyc_pushes_provider_fkey REFERENCES investment_providers (code),
      user_id uuid NOT NULL CONSTRAINT kyc_pushes_user_fkey REFERENCES users (id),
      fingerprint text,
      accepted_at timestamptz,
      refused_fingerprint text,
      refused_at timestamptz,
      CONSTRAINT kyc_pushes_pkey PRIMARY KEY (provider_code, user_id),
      CONSTRAINT kyc_pushes_accepted_check CHECK ((fingerprint IS NULL) = (accepted_at IS NULL)),
      CONSTRAINT kyc_pushes_refused_check CHECK ((refused_fingerprint IS NULL) = (refused_at IS NULL))
    );
    CREATE INDEX kyc_pushes_user_idx ON kyc_pushes (user_id);

    ALTER TABLE domain_events DROP CONSTRAINT domain_events_type_check, ADD CONSTRAINT domain_events_type_check
      CHECK (type IN ('order.paid', 'refund.completed', 'kyc.submitted', 'kyc.approved', 'kyc.rejected', 'kyc.expired',
        'investment.created', 'profit.distributed')) NOT VALID;
  `);
}

/** Balances keep what participations moved; the rows that explain it are gone. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DELETE FROM domain_events WHERE type IN ('investment.created', 'profit.distributed');
    ALTER TABLE domain_events DROP CONSTRAINT domain_events_type_check, ADD CONSTRAINT domain_events_type_check
      CHECK (type IN ('order.paid', 'refund.completed', 'kyc.submitted', 'kyc.approved', 'kyc.rejected', 'kyc.expired'));
    DELETE FROM webhook_events WHERE kind = 'INVESTMENT';
    ALTER TABLE webhook_events DROP COLUMN kind;
    DROP TABLE kyc_pushes, kyc_provider_reports, investment_withdrawals, participation_values,
      investment_transactions, participations;
    DROP SEQUENCE participation_numbers;
  `);
}

/** Money that people put into strategies, how it moved and how its value changed. */
export const PARTICIPATIONS = `
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
    earned_minor bigint NOT NULL DEFAULT 0
      CONSTRAINT participations_earned_check CHECK (earned_minor BETWEEN -999999999999 AND 999999999999),
    -- The provider's last word on its value; null: it has said nothing.
    reported_value_minor bigint CONSTRAINT participations_reported_value_check
      CHECK (reported_value_minor BETWEEN 0 AND 999999999999),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- Each value that a provider may correct has the time of the report that it came from, so that a late older one changes
    -- nothing.
    value_reported_at timestamptz,
    maturity_reported_at timestamptz,
    -- The time of the report of its provider that ended it; null where it ended here.
    payout_reported_at timestamptz,
    -- The provider's id of the report that ended it, or that confirmed its end here.
    payout_external_id text,
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
      CHECK ((status IN ('MATURED', 'WITHDRAWN', 'CANCELLED')) = (ended_at IS NOT NULL)),
    CONSTRAINT participations_value_reported_check
      CHECK (value_reported_at IS NULL OR reported_value_minor IS NOT NULL),
    CONSTRAINT participations_payout_reported_check
      CHECK (payout_reported_at IS NULL OR (status = 'WITHDRAWN' AND external_id IS NOT NULL
        AND payout_external_id IS NOT NULL)),
    CONSTRAINT participations_payout_external_check
      CHECK (payout_external_id IS NULL OR status IN ('MATURED', 'WITHDRAWN')),
    CONSTRAINT participations_payout_external_key UNIQUE (provider_code, payout_external_id)
  );
  CREATE INDEX participations_user_idx ON participations (user_id, created_at DESC, id);
  -- With all that the financials of a strategy add up, so that its participations need not be read for them.
  CREATE INDEX participations_strategy_idx ON participations (strategy_id, status)
    INCLUDE (amount_minor, withdrawn_minor, earned_minor, return_expected_bp, started_at, matures_at);
  -- With all that says what the running participations of a provider are owed, which each payment of it is compared with.
  CREATE INDEX participations_provider_running_idx ON participations (provider_code, currency)
    INCLUDE (amount_minor, withdrawn_minor, earned_minor) WHERE status = 'ACTIVE';
  CREATE INDEX participations_provider_user_idx ON participations (provider_code, user_id);
  CREATE INDEX participations_created_idx ON participations (created_at DESC, id);
  CREATE INDEX participations_running_idx ON participations (matures_at, id) WHERE status = 'ACTIVE';
  CREATE INDEX participations_pending_idx ON participations (payment_expires_at, id) WHERE status = 'PENDING_PAYMENT';
  -- Administrators search participations by any part of their number.
  CREATE INDEX participations_number_search_idx ON participations USING gin (search_key(number) gin_trgm_ops);

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
  CREATE INDEX investment_transactions_occurred_idx ON investment_transactions (occurred_at);
  -- The figures of a portfolio read payouts and late profits, whose number does not grow with years of profits.
  CREATE INDEX investment_transactions_payouts_idx ON investment_transactions (participation_id)
    WHERE type IN ('WITHDRAWAL', 'PENALTY');
  CREATE INDEX investment_transactions_profits_idx ON investment_transactions (participation_id, created_at)
    WHERE type = 'PROFIT';

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
`;

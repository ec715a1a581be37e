/** Strategies by category, with pictures and documents among the public media. */
export const STRATEGIES = `
  CREATE TABLE investment_categories (
    id uuid PRIMARY KEY,
    name text NOT NULL,
    slug text NOT NULL CONSTRAINT investment_categories_slug_key UNIQUE,
    description text,
    image_url text,
    is_active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  );

  CREATE TABLE investment_strategies (
    id uuid PRIMARY KEY,
    provider_code text NOT NULL
      CONSTRAINT investment_strategies_provider_fkey REFERENCES investment_providers (code),
    strategy_code text NOT NULL,
    category_id uuid NOT NULL
      CONSTRAINT investment_strategies_category_fkey REFERENCES investment_categories (id),
    name text NOT NULL,
    slug text NOT NULL CONSTRAINT investment_strategies_slug_key UNIQUE,
    short_description text NOT NULL,
    description text NOT NULL,
    return_min_bp integer NOT NULL,
    return_max_bp integer NOT NULL,
    return_expected_bp integer NOT NULL,
    return_type text NOT NULL CONSTRAINT investment_strategies_return_type_check CHECK (return_type IN ('FIXED', 'VARIABLE')),
    payout_frequency text NOT NULL CONSTRAINT investment_strategies_payout_frequency_check
      CHECK (payout_frequency IN ('DAILY', 'WEEKLY', 'MONTHLY', 'END_OF_TERM')),
    min_days integer NOT NULL,
    max_days integer NOT NULL,
    lock_days integer NOT NULL CONSTRAINT investment_strategies_lock_days_check CHECK (lock_days BETWEEN 0 AND 36500),
    min_minor bigint NOT NULL CONSTRAINT investment_strategies_min_check CHECK (min_minor > 0),
    max_minor bigint,
    currency text NOT NULL CONSTRAINT investment_strategies_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
    total_capacity_minor bigint,
    reserved_minor bigint NOT NULL DEFAULT 0,
    risk_level text NOT NULL
      CONSTRAINT investment_strategies_risk_level_check CHECK (risk_level IN ('LOW', 'MEDIUM', 'HIGH')),
    risk_disclosure text NOT NULL,
    status text NOT NULL
      CONSTRAINT investment_strategies_status_check CHECK (status IN ('ACTIVE', 'PAUSED', 'CLOSED')),
    early_withdrawal_allowed boolean NOT NULL,
    early_withdrawal_penalty_bp integer CONSTRAINT investment_strategies_penalty_check
      CHECK (early_withdrawal_penalty_bp BETWEEN 0 AND 10000),
    compounding_available boolean NOT NULL,
    automatic_reinvestment boolean NOT NULL,
    commission_bp integer NOT NULL
      CONSTRAINT investment_strategies_commission_check CHECK (commission_bp BETWEEN 0 AND 10000),
    career_points_bp integer NOT NULL
      CONSTRAINT investment_strategies_career_points_check CHECK (career_points_bp BETWEEN 0 AND 1000000),
    historical_returns jsonb NOT NULL DEFAULT '[]',
    image_url text,
    total_participants integer NOT NULL DEFAULT 0,
    total_invested_minor bigint NOT NULL DEFAULT 0,
    active_participations integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    image_media_name text CONSTRAINT investment_strategies_media_fkey REFERENCES media (name),
    CONSTRAINT investment_strategies_code_key UNIQUE (provider_code, strategy_code),
    CONSTRAINT investment_strategies_returns_check CHECK (return_min_bp BETWEEN -10000 AND return_max_bp
      AND return_max_bp <= 1000000 AND return_expected_bp BETWEEN return_min_bp AND return_max_bp),
    CONSTRAINT investment_strategies_days_check CHECK (min_days BETWEEN 1 AND max_days AND max_days <= 36500),
    CONSTRAINT investment_strategies_max_check CHECK (max_minor >= min_minor),
    -- Pending and active principal; what providers report of may exceed the capacity, so it is no bound here.
    CONSTRAINT investment_strategies_reserved_check CHECK (reserved_minor >= 0),
    CONSTRAINT investment_strategies_popularity_check
      CHECK (total_participants >= 0 AND total_invested_minor >= 0 AND active_participations >= 0),
    -- No sum over participations and strategies is more than can be shown.
    CONSTRAINT investment_strategies_invested_check CHECK (total_invested_minor <= 999999999999999)
    -- Room next to each row, so that counting a participation touches no index.
  ) WITH (fillfactor = 50);
  CREATE INDEX investment_strategies_category_idx ON investment_strategies (category_id);
  CREATE INDEX investment_strategies_created_idx ON investment_strategies (created_at, id);
  CREATE INDEX investment_strategies_return_idx ON investment_strategies (return_expected_bp, id);
  CREATE INDEX investment_strategies_duration_idx ON investment_strategies (min_days, max_days, id);
  CREATE INDEX investment_strategies_media_idx ON investment_strategies (image_media_name);

  CREATE TABLE investment_strategy_documents (
    id uuid PRIMARY KEY,
    strategy_id uuid NOT NULL
      CONSTRAINT investment_strategy_documents_strategy_fkey REFERENCES investment_strategies (id),
    type text NOT NULL CONSTRAINT investment_strategy_documents_type_check
      CHECK (type IN ('PROSPECTUS', 'FACT_SHEET', 'TERMS', 'REPORT', 'OTHER')),
    name text NOT NULL,
    url text NOT NULL,
    position integer NOT NULL,
    created_at timestamptz NOT NULL,
    media_name text CONSTRAINT investment_strategy_documents_media_fkey REFERENCES media (name)
  );
  CREATE INDEX investment_strategy_documents_strategy_idx ON investment_strategy_documents (strategy_id, position);
  CREATE INDEX investment_strategy_documents_media_idx ON investment_strategy_documents (media_name);
`;

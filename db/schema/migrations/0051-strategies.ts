import type { QueryInterface } from 'sequelize';

/** The providers that run strategies, and the strategies. Rates and percentages are basis points; money is in minor units. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE investment_providers (
      code text PRIMARY KEY CONSTRAINT investment_providers_code_check CHECK (code ~ '^[a-z][a-z0-9-]{1,39}$'),
      name text NOT NULL,
      api_base text CONSTRAINT investment_providers_api_base_check CHECK (api_base LIKE 'http%'),
      sso_audience text,
      sso_url text CONSTRAINT investment_providers_sso_url_check CHECK (sso_url LIKE 'http%'),
      webhooks_per_minute integer
        CONSTRAINT investment_providers_webhooks_check CHECK (webhooks_per_minute BETWEEN 1 AND 1000000),
      is_active boolean NOT NULL DEFAULT true,
      -- Since when it is active and has an API; before that the time of its last change.
      connected_at timestamptz NOT NULL DEFAULT now(),
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );

    -- The newest secret of a purpose signs; each is accepted until valid_until (null: until it is replaced).
    CREATE TABLE investment_provider_secrets (
      id uuid PRIMARY KEY,
      provider_code text NOT NULL
        CONSTRAINT investment_provider_secrets_provider_fkey REFERENCES investment_providers (code),
      purpose text NOT NULL CONSTRAINT investment_provider_secrets_purpose_check CHECK (purpose IN ('WEBHOOK', 'SSO')),
      secret bytea NOT NULL,
      created_at timestamptz NOT NULL,
      valid_until timestamptz
    );
    CREATE UNIQUE INDEX investment_provider_secrets_current_key ON investment_provider_secrets (provider_code, purpose)
      WHERE valid_until IS NULL;
    CREATE INDEX investment_provider_secrets_provider_idx ON investment_provider_secrets (provider_code);

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
      CONSTRAINT investment_strategies_code_key UNIQUE (provider_code, strategy_code),
      CONSTRAINT investment_strategies_returns_check CHECK (return_min_bp BETWEEN -10000 AND return_max_bp
        AND return_max_bp <= 1000000 AND return_expected_bp BETWEEN return_min_bp AND return_max_bp),
      CONSTRAINT investment_strategies_days_check CHECK (min_days BETWEEN 1 AND max_days AND max_days <= 36500),
      CONSTRAINT investment_strategies_max_check CHECK (max_minor >= min_minor),
      -- Pending and active principal; what providers report of may exceed the capacity, so it is no bound here.
      CONSTRAINT investment_strategies_reserved_check CHECK (reserved_minor >= 0),
      CONSTRAINT investment_strategies_popularity_check
        CHECK (total_participants >= 0 AND total_invested_minor >= 0 AND active_participations >= 0)
    );
    CREATE INDEX investment_strategies_category_idx ON investment_strategies (category_id);
    CREATE INDEX investment_strategies_created_idx ON investment_strategies (created_at DESC, id);

    CREATE TABLE investment_strategy_documents (
      id uuid PRIMARY KEY,
      strategy_id uuid NOT NULL
        CONSTRAINT investment_strategy_documents_strategy_fkey REFERENCES investment_strategies (id),
      type text NOT NULL CONSTRAINT investment_strategy_documents_type_check
        CHECK (type IN ('PROSPECTUS', 'FACT_SHEET', 'TERMS', 'REPORT', 'OTHER')),
      name text NOT NULL,
      url text NOT NULL,
      position integer NOT NULL,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX investment_strategy_documents_strategy_idx ON investment_strategy_documents (strategy_id, position);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE investment_strategy_documents, investment_strategies, investment_categories, investment_provider_secrets,
      investment_providers;
  `);
}

/** Reports of providers as the reconciliation reads them, and what it found. */
export const REPORTS = `
  -- The last word of a provider on each movement, by its own id of it, whether or not it had an effect here. Amounts are in
  -- major units, as reported.
  CREATE TABLE investment_reports (
    provider_code text NOT NULL CONSTRAINT investment_reports_provider_fkey REFERENCES investment_providers (code),
    type text NOT NULL CONSTRAINT investment_reports_type_check CHECK (type IN ('DEPOSIT', 'PROFIT', 'WITHDRAWAL')),
    external_id text NOT NULL,
    investment_external_id text NOT NULL,
    amount numeric NOT NULL,
    -- The part of the amount that the provider keeps.
    penalty numeric NOT NULL DEFAULT 0,
    currency text,
    webhook_event_id uuid NOT NULL,
    -- When it came, and the time of the report itself.
    reported_at timestamptz NOT NULL,
    occurred_at timestamptz NOT NULL,
    CONSTRAINT investment_reports_pkey PRIMARY KEY (provider_code, type, external_id)
  );
  CREATE INDEX investment_reports_investment_idx ON investment_reports (provider_code, investment_external_id);
  CREATE INDEX investment_reports_event_idx ON investment_reports (webhook_event_id);

  -- What the reports of a provider have promised to users on a day (UTC), beyond what was paid here.
  CREATE TABLE provider_day_totals (
    provider_code text NOT NULL
      CONSTRAINT provider_day_totals_provider_fkey REFERENCES investment_providers (code),
    currency text NOT NULL,
    day date NOT NULL,
    credited_minor bigint NOT NULL CONSTRAINT provider_day_totals_credited_check CHECK (credited_minor > 0),
    CONSTRAINT provider_day_totals_pkey PRIMARY KEY (provider_code, currency, day)
  );

  -- What a provider reported against what is held here, as the daily reconciliation found it.
  CREATE TABLE investment_differences (
    id uuid PRIMARY KEY,
    participation_id uuid
      CONSTRAINT investment_differences_participation_fkey REFERENCES participations (id),
    provider_code text NOT NULL,
    kind text NOT NULL CONSTRAINT investment_differences_kind_check CHECK (kind IN
      ('NOT_REPORTED', 'PRINCIPAL_DIFFERS', 'PROFITS_DIFFER', 'UNKNOWN_HERE', 'WITHDRAWAL_DIFFERS')),
    held_minor bigint,
    reported_minor bigint,
    found_at timestamptz NOT NULL,
    last_seen_at timestamptz NOT NULL,
    resolved_at timestamptz,
    -- A person has said that it stays as it is; it opens again if what it comes to changes.
    accepted_at timestamptz,
    accepted_by uuid CONSTRAINT investment_differences_accepted_by_fkey REFERENCES users (id),
    accepted_because text,
    investment_external_id text,
    currency text,
    -- Of an unknown investment: all that was reported, to see whether it has changed.
    reported_sums jsonb,
    CONSTRAINT investment_differences_subject_check
      CHECK ((kind = 'UNKNOWN_HERE') = (participation_id IS NULL) AND
        (participation_id IS NOT NULL OR investment_external_id IS NOT NULL)),
    CONSTRAINT investment_differences_accepted_check
      CHECK (num_nonnulls(accepted_at, accepted_by, accepted_because) IN (0, 3))
  );
  CREATE INDEX investment_differences_accepted_by_idx ON investment_differences (accepted_by)
    WHERE accepted_by IS NOT NULL;
  CREATE UNIQUE INDEX investment_differences_open_key ON investment_differences (participation_id, kind)
    WHERE resolved_at IS NULL;
  CREATE UNIQUE INDEX investment_differences_unknown_key ON investment_differences (provider_code, investment_external_id)
    WHERE resolved_at IS NULL AND participation_id IS NULL;
  CREATE INDEX investment_differences_found_idx ON investment_differences (found_at DESC, id);

  -- What each provider owes us, as the reconciliation or its last payment added it up; below zero we owe it.
  CREATE TABLE investment_provider_debts (
    provider_code text NOT NULL
      CONSTRAINT investment_provider_debts_provider_fkey REFERENCES investment_providers (code),
    currency text NOT NULL,
    owed_minor bigint NOT NULL,
    -- Since when it has been beyond what a provider may owe; null: it is within.
    beyond_since timestamptz,
    counted_at timestamptz NOT NULL,
    CONSTRAINT investment_provider_debts_pkey PRIMARY KEY (provider_code, currency)
  );
`;

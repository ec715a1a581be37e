import type { QueryInterface } from 'sequelize';

/**
 * What goes out to investment providers, and what they reported: the state of the push of identity verifications to each,
 * their reports as the reconciliation reads them, and differences about investments that nobody knows here.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    -- What a provider reported against what is held here, as the daily reconciliation found it.
    CREATE TABLE investment_differences (
      id uuid PRIMARY KEY,
      participation_id uuid NOT NULL
        CONSTRAINT investment_differences_participation_fkey REFERENCES participations (id),
      provider_code text NOT NULL,
      kind text NOT NULL,
      held_minor bigint,
      reported_minor bigint,
      found_at timestamptz NOT NULL,
      last_seen_at timestamptz NOT NULL,
      resolved_at timestamptz,
      -- A person has said that it stays as it is; it opens again if what it comes to changes.
      accepted_at timestamptz,
      accepted_by uuid CONSTRAINT investment_differences_accepted_by_fkey REFERENCES users (id),
      accepted_because text,
      CONSTRAINT investment_differences_accepted_check CHECK (num_nonnulls(accepted_at, accepted_by, accepted_because) IN (0, 3))
    );
    CREATE INDEX investment_differences_accepted_by_idx ON investment_differences (accepted_by)
      WHERE accepted_by IS NOT NULL;
    CREATE UNIQUE INDEX investment_differences_open_key ON investment_differences (participation_id, kind)
      WHERE resolved_at IS NULL;

    CREATE TABLE kyc_syncs (
      provider_code text PRIMARY KEY CONSTRAINT kyc_syncs_provider_fkey REFERENCES investment_providers (code),
      slot text NOT NULL,
      started_at timestamptz NOT NULL,
      ended_at timestamptz,
      accepted integer NOT NULL DEFAULT 0 CONSTRAINT kyc_syncs_accepted_check CHECK (accepted >= 0),
      refused integer NOT NULL DEFAULT 0,
      -- Of those, the ones that were refused whatever their content is; the CHECK also keeps those from below zero.
      missed integer NOT NULL DEFAULT 0 CONSTRAINT kyc_syncs_missed_check CHECK (missed BETWEEN 0 AND refused),
      problem text,
      -- The end of the last run in which the provider was told of everybody.
      completed_at timestamptz,
      -- Calls to the provider are paced: no call begins before.
      next_call_at timestamptz NOT NULL
    );

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

    -- When the reconciliation has read the report; null: not yet.
    ALTER TABLE webhook_events ADD COLUMN reconciled_at timestamptz;

    ALTER TABLE investment_differences ALTER COLUMN participation_id DROP NOT NULL,
      ADD COLUMN investment_external_id text,
      ADD COLUMN currency text,
      -- Of an unknown investment: all that was reported, to see whether it has changed.
      ADD COLUMN reported_sums jsonb,
      ADD CONSTRAINT investment_differences_kind_check CHECK (kind IN
        ('NOT_REPORTED', 'PRINCIPAL_DIFFERS', 'PROFITS_DIFFER', 'UNKNOWN_HERE', 'WITHDRAWAL_DIFFERS')),
      ADD CONSTRAINT investment_differences_subject_check
        CHECK ((kind = 'UNKNOWN_HERE') = (participation_id IS NULL) AND
          (participation_id IS NOT NULL OR investment_external_id IS NOT NULL));
    CREATE UNIQUE INDEX investment_differences_unknown_key ON investment_differences (provider_code, investment_external_id)
      WHERE resolved_at IS NULL AND participation_id IS NULL;
    CREATE INDEX investment_differences_found_idx ON investment_differences (found_at DESC, id);

    -- What each provider owes us, as the reconciliation added it up; below zero we owe it.
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
  `);
}

/** Differences about unknown investments go, since earlier releases cannot hold them. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE investment_provider_debts, investment_differences;
    ALTER TABLE webhook_events DROP COLUMN reconciled_at;
    DROP TABLE investment_reports, kyc_syncs;
  `);
}

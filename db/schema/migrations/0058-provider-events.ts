import type { QueryInterface } from 'sequelize';

/**
 * Reports of investment providers: what a report waits for is known, and each value that a provider may correct keeps the
 * time of the report that it came from, so that a late older one changes nothing.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    -- The provider's id of the investment that a WAITING report is about, or that a DEAD one waited for in vain.
    ALTER TABLE webhook_events ADD COLUMN waits_for text;
    ALTER TABLE webhook_events ADD CONSTRAINT webhook_events_waits_for_check
      CHECK (waits_for IS NULL OR status IN ('WAITING', 'DEAD')) NOT VALID;
    -- Its user was erased while it was still to be applied or reconciled; its text is deleted once it is.
    ALTER TABLE webhook_events ADD COLUMN is_about_erased boolean NOT NULL DEFAULT false;

    -- The sender's id of what a report is about, read when it came; whom and which order it concerns, once that is known.
    ALTER TABLE webhook_events ADD COLUMN subject text,
      ADD COLUMN user_id uuid CONSTRAINT webhook_events_user_fkey REFERENCES users (id),
      ADD COLUMN order_id uuid CONSTRAINT webhook_events_order_fkey REFERENCES orders (id);

    -- When a person let amounts beyond the bounds through.
    ALTER TABLE webhook_events ADD COLUMN confirmed_at timestamptz;

    -- DISCARDED: a person decided that it is never applied.
    ALTER TABLE webhook_events
      DROP CONSTRAINT webhook_events_status_check, DROP CONSTRAINT webhook_events_body_check,
      ADD CONSTRAINT webhook_events_status_check
        CHECK (status IN ('RECEIVED', 'PROCESSED', 'WAITING', 'IGNORED', 'DEAD', 'DISCARDED')) NOT VALID,
      ADD CONSTRAINT webhook_events_body_check
        CHECK (body IS NOT NULL OR status IN ('PROCESSED', 'IGNORED', 'DEAD', 'DISCARDED')) NOT VALID;

    -- A field of a report's data, as its JSON value and in small letters; null where the text is no jsonb. Indexes hold it,
    -- so it has a bounded length.
    CREATE FUNCTION reported_field(body text, field text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $body$
    BEGIN
      RETURN left(lower(body::jsonb -> 'data' ->> field), 320);
    EXCEPTION WHEN OTHERS THEN
      RETURN NULL;
    END
    $body$;

    -- What the reports of a provider have promised to users on a day (UTC), beyond what was paid here.
    CREATE TABLE provider_day_totals (
      provider_code text NOT NULL
        CONSTRAINT provider_day_totals_provider_fkey REFERENCES investment_providers (code),
      currency text NOT NULL,
      day date NOT NULL,
      credited_minor bigint NOT NULL CONSTRAINT provider_day_totals_credited_check CHECK (credited_minor > 0),
      CONSTRAINT provider_day_totals_pkey PRIMARY KEY (provider_code, currency, day)
    );

    -- No sum over participations and strategies is more than can be shown.
    ALTER TABLE investment_strategies ADD CONSTRAINT investment_strategies_invested_check
      CHECK (total_invested_minor <= 999999999999999);

    ALTER TABLE participations
      ADD CONSTRAINT participations_earned_check CHECK (earned_minor BETWEEN -999999999999 AND 999999999999),
      ADD COLUMN value_reported_at timestamptz,
      ADD COLUMN maturity_reported_at timestamptz,
      -- The time of the report of its provider that ended it; null where it ended here.
      ADD COLUMN payout_reported_at timestamptz,
      -- The provider's id of the report that ended it, or that confirmed its end here.
      ADD COLUMN payout_external_id text,
      ADD CONSTRAINT participations_value_reported_check
        CHECK (value_reported_at IS NULL OR reported_value_minor IS NOT NULL),
      ADD CONSTRAINT participations_payout_reported_check
        CHECK (payout_reported_at IS NULL OR (status = 'WITHDRAWN' AND external_id IS NOT NULL
          AND payout_external_id IS NOT NULL)),
      ADD CONSTRAINT participations_payout_external_check CHECK (payout_external_id IS NULL OR status IN ('MATURED', 'WITHDRAWN')),
      ADD CONSTRAINT participations_payout_external_key UNIQUE (provider_code, payout_external_id);

    -- The users who were led to a provider to sign in there: only of them may it report investments that nobody made here.
    CREATE TABLE investment_provider_sign_ins (
      provider_code text NOT NULL
        CONSTRAINT investment_provider_sign_ins_provider_fkey REFERENCES investment_providers (code),
      user_id uuid NOT NULL CONSTRAINT investment_provider_sign_ins_user_fkey REFERENCES users (id),
      first_at timestamptz NOT NULL,
      CONSTRAINT investment_provider_sign_ins_pkey PRIMARY KEY (provider_code, user_id)
    );
    CREATE INDEX investment_provider_sign_ins_user_idx ON investment_provider_sign_ins (user_id);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE provider_day_totals, investment_provider_sign_ins;
    ALTER TABLE investment_strategies DROP CONSTRAINT investment_strategies_invested_check;
    ALTER TABLE participations DROP CONSTRAINT participations_earned_check, DROP CONSTRAINT participations_payout_reported_check,
      DROP CONSTRAINT participations_value_reported_check, DROP COLUMN payout_external_id,
      DROP COLUMN payout_reported_at,
      DROP COLUMN maturity_reported_at, DROP COLUMN value_reported_at;
    UPDATE webhook_events SET status = 'DEAD' WHERE status = 'DISCARDED';
    ALTER TABLE webhook_events
      DROP CONSTRAINT webhook_events_status_check, DROP CONSTRAINT webhook_events_body_check,
      ADD CONSTRAINT webhook_events_status_check
        CHECK (status IN ('RECEIVED', 'PROCESSED', 'WAITING', 'IGNORED', 'DEAD')),
      ADD CONSTRAINT webhook_events_body_check
        CHECK (body IS NOT NULL OR status IN ('PROCESSED', 'IGNORED', 'DEAD'));
    ALTER TABLE webhook_events DROP COLUMN confirmed_at, DROP COLUMN subject, DROP COLUMN user_id, DROP COLUMN order_id, DROP COLUMN is_about_erased, DROP COLUMN waits_for;
    DROP FUNCTION reported_field(text, text);
  `);
}

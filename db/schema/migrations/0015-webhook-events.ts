import type { QueryInterface } from 'sequelize';

/** Reports of providers, as they came in. The kind of its report is a part of the identity of each. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE webhook_events (
      id uuid PRIMARY KEY,
      provider text NOT NULL,
      external_event_id text NOT NULL,
      type text NOT NULL,
      body text,
      body_hash text NOT NULL,
      -- DISCARDED: a person decided that it is never applied.
      status text NOT NULL CONSTRAINT webhook_events_status_check
        CHECK (status IN ('RECEIVED', 'PROCESSED', 'WAITING', 'IGNORED', 'DEAD', 'DISCARDED')),
      attempts integer NOT NULL DEFAULT 0,
      replays integer NOT NULL DEFAULT 0,
      last_error text,
      received_at timestamptz NOT NULL,
      started_at timestamptz,
      processed_at timestamptz,
      start_failures integer NOT NULL DEFAULT 0,
      start_failed_at timestamptz,
      kind text NOT NULL DEFAULT 'PAYMENT'
        CONSTRAINT webhook_events_kind_check CHECK (kind IN ('PAYMENT', 'INVESTMENT')),
      -- When the reconciliation has read the report; null: not yet.
      reconciled_at timestamptz,
      -- The provider's id of the investment that a WAITING report is about, or that a DEAD one waited for in vain.
      waits_for text CONSTRAINT webhook_events_waits_for_check
        CHECK (waits_for IS NULL OR status IN ('WAITING', 'DEAD')),
      -- Its user was erased while it was still to be applied or reconciled; its text is deleted once it is.
      is_about_erased boolean NOT NULL DEFAULT false,
      -- What a report says, read when it came: the sender's id of what it is about, and of the money that moved; what happened to a
      -- payment or a chargeback; of an investment the amount that moved, in minor units and less what was kept. Lists and checks
      -- compare these, and never the type or the text, which each provider words in its own way.
      subject text,
      movement text,
      outcome text CONSTRAINT webhook_events_outcome_check CHECK (outcome IN ('PAID', 'TAKEN', 'LOST', 'RETURNED')),
      amount_minor bigint,
      -- Whom and which order it concerns, once that is known.
      user_id uuid CONSTRAINT webhook_events_user_fkey REFERENCES users (id),
      order_id uuid CONSTRAINT webhook_events_order_fkey REFERENCES orders (id),
      -- When a person let amounts beyond the bounds through.
      confirmed_at timestamptz,
      CONSTRAINT webhook_events_external_key UNIQUE (provider, external_event_id, kind),
      -- It is deleted some time after the event was dealt with.
      CONSTRAINT webhook_events_body_check
        CHECK (body IS NOT NULL OR status IN ('PROCESSED', 'IGNORED', 'DEAD', 'DISCARDED'))
    );
    CREATE INDEX webhook_events_unstarted_idx ON webhook_events (received_at) WHERE started_at IS NULL;
    CREATE INDEX webhook_events_unfinished_idx ON webhook_events (status) WHERE status IN ('RECEIVED', 'WAITING', 'DEAD');
    CREATE INDEX webhook_events_received_idx ON webhook_events (received_at, id);
    CREATE INDEX webhook_events_provider_idx ON webhook_events (provider, received_at DESC, id DESC);
    CREATE INDEX webhook_events_status_idx ON webhook_events (status, received_at DESC, id DESC)
      WHERE status IN ('WAITING', 'IGNORED', 'DEAD', 'DISCARDED');
    CREATE INDEX webhook_events_kind_idx ON webhook_events (received_at DESC, id DESC) WHERE kind = 'INVESTMENT';
    CREATE INDEX webhook_events_type_idx ON webhook_events (type, received_at DESC, id DESC);
    -- Checks of processes read what was dealt with lately.
    CREATE INDEX webhook_events_processed_idx ON webhook_events (processed_at, id) WHERE processed_at IS NOT NULL;
    -- The reports whose text retention deletes.
    CREATE INDEX webhook_events_body_idx ON webhook_events ((coalesce(processed_at, received_at)))
      WHERE body IS NOT NULL AND status IN ('PROCESSED', 'IGNORED');
    CREATE INDEX webhook_events_discarded_idx ON webhook_events (processed_at)
      WHERE body IS NOT NULL AND status = 'DISCARDED';
    -- The reports of investment providers that are reconciled, or wait for an investment.
    CREATE INDEX webhook_events_unreconciled_idx ON webhook_events (received_at, id)
      WHERE kind = 'INVESTMENT' AND reconciled_at IS NULL;
    CREATE INDEX webhook_events_waits_for_idx ON webhook_events (provider, waits_for) WHERE waits_for IS NOT NULL;
    CREATE INDEX webhook_events_subject_idx ON webhook_events (subject) WHERE subject IS NOT NULL;
    CREATE INDEX webhook_events_concerned_idx ON webhook_events (user_id) WHERE user_id IS NOT NULL;
    CREATE INDEX webhook_events_order_idx ON webhook_events (order_id) WHERE order_id IS NOT NULL;
    CREATE INDEX webhook_events_waiting_idx ON webhook_events (provider)
      WHERE kind = 'INVESTMENT' AND status = 'WAITING';

    -- A field of a report's data, as its JSON value and in small letters; null where the text is no jsonb. Indexes hold it,
    -- so it has a bounded length.
    CREATE FUNCTION reported_field(body text, field text) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $body$
    BEGIN
      RETURN left(lower(body::jsonb -> 'data' ->> field), 320);
    EXCEPTION WHEN OTHERS THEN
      RETURN NULL;
    END
    $body$;
    -- By which reports are found for a movement.
    CREATE INDEX webhook_events_movement_idx ON webhook_events (provider, movement) WHERE movement IS NOT NULL;
    -- By which reports are found for a user.
    CREATE INDEX webhook_events_user_idx ON webhook_events (reported_field(body, 'userId'))
      WHERE kind = 'INVESTMENT' AND body IS NOT NULL;
    CREATE INDEX webhook_events_email_idx ON webhook_events (reported_field(body, 'email'))
      WHERE kind = 'INVESTMENT' AND body IS NOT NULL;
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE webhook_events;
    DROP FUNCTION reported_field(text, text);
  `);
}

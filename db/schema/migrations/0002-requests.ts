import type { QueryInterface } from 'sequelize';

/** Requests: keys that make them repeatable, counts that limit them, and the notes that their processes refer to. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE idempotency_keys (
      owner text NOT NULL,
      route text NOT NULL,
      key text NOT NULL,
      body_hash text NOT NULL,
      state text NOT NULL CONSTRAINT idempotency_keys_state_check CHECK (state IN ('CLAIMED', 'OPEN', 'DONE')),
      minted jsonb NOT NULL DEFAULT '{}',
      status integer,
      body jsonb,
      claimed_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      -- How often the request was given to its process: an outcome without a response is used up, and the next try asks
      -- anew.
      tries integer NOT NULL DEFAULT 1 CONSTRAINT idempotency_keys_tries_check CHECK (tries >= 1),
      CONSTRAINT idempotency_keys_pkey PRIMARY KEY (owner, route, key),
      CONSTRAINT idempotency_keys_done_check CHECK (state <> 'DONE' OR (status IS NOT NULL AND body IS NOT NULL))
    );
    CREATE INDEX idempotency_keys_created_idx ON idempotency_keys (created_at);
    CREATE INDEX idempotency_keys_unanswered_idx ON idempotency_keys (claimed_at) WHERE state <> 'DONE';

    -- Losing these at a crash only forgives a few seconds of counting, so they need no write-ahead log.
    CREATE UNLOGGED TABLE rate_limits (
      key varchar(255) PRIMARY KEY,
      points integer NOT NULL DEFAULT 0,
      expire bigint
    );

    -- Texts that people wrote and their addresses, so that processes carry an id and no personal data.
    CREATE TABLE request_notes (
      id uuid PRIMARY KEY,
      actor_id uuid NOT NULL,
      client_address text NOT NULL,
      text bytea,
      created_at timestamptz NOT NULL,
      -- The entity that the request is about; null where nobody looks a note up by it.
      entity_id uuid
    );
    CREATE INDEX request_notes_actor_idx ON request_notes (actor_id, created_at);
    CREATE INDEX request_notes_entity_idx ON request_notes (entity_id) WHERE entity_id IS NOT NULL;
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE request_notes, rate_limits, idempotency_keys;
  `);
}

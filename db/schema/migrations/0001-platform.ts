import type { QueryInterface } from 'sequelize';

/** What every area leans on: audit trail, idempotency, rate limits, outbox, processes that wait for a person. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $body$
    BEGIN
      RAISE EXCEPTION '% is append-only', TG_TABLE_NAME USING ERRCODE = 'restrict_violation';
    END $body$;

    CREATE TABLE audit_records (
      sequence bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      id uuid NOT NULL CONSTRAINT audit_records_id_key UNIQUE,
      actor_id uuid,
      action text NOT NULL,
      entity_type text NOT NULL,
      entity_id text NOT NULL,
      previous jsonb,
      next jsonb,
      client_address text,
      created_at timestamptz NOT NULL,
      previous_hash text NOT NULL,
      hash text NOT NULL CONSTRAINT audit_records_hash_key UNIQUE
    );
    CREATE INDEX audit_records_entity_idx ON audit_records (entity_type, entity_id);
    CREATE INDEX audit_records_actor_idx ON audit_records (actor_id, created_at);
    CREATE TRIGGER audit_records_no_change BEFORE UPDATE OR DELETE ON audit_records
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER audit_records_no_truncate BEFORE TRUNCATE ON audit_records
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

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

    CREATE TABLE outbox_messages (
      id uuid PRIMARY KEY,
      kind text NOT NULL CONSTRAINT outbox_messages_kind_check CHECK (kind IN ('MAIL', 'SMS')),
      reference text NOT NULL CONSTRAINT outbox_messages_reference_key UNIQUE,
      recipient text NOT NULL,
      payload jsonb NOT NULL,
      status text NOT NULL CONSTRAINT outbox_messages_status_check CHECK (status IN ('WAITING', 'SENT', 'DEAD')),
      attempts integer NOT NULL DEFAULT 0,
      last_error text,
      due_at timestamptz NOT NULL,
      created_at timestamptz NOT NULL,
      sent_at timestamptz
    );
    CREATE INDEX outbox_messages_dead_idx ON outbox_messages (id) WHERE status = 'DEAD';
    CREATE INDEX outbox_messages_due_idx ON outbox_messages (due_at, id) WHERE status = 'WAITING';

    CREATE TABLE parked_processes (
      workflow_id text PRIMARY KEY,
      type text NOT NULL,
      entity_id text NOT NULL,
      reason text NOT NULL,
      last_error text NOT NULL,
      since timestamptz NOT NULL
    );
    CREATE INDEX parked_processes_since_idx ON parked_processes (since);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE parked_processes, outbox_messages, rate_limits, idempotency_keys, audit_records;
    DROP FUNCTION refuse_change();
  `);
}

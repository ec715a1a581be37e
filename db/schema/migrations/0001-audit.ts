import type { QueryInterface } from 'sequelize';

/**
 * The audit trail: records that are linked under a key, whose name each carries. Every check of the trail stores its
 * head, so that an end that was cut off is noticed.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    -- Of every table whose rows are only added.
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
      hash text NOT NULL CONSTRAINT audit_records_hash_key UNIQUE,
      -- The name of the key under which the record is linked to the one before.
      key_id text NOT NULL
    );
    CREATE INDEX audit_records_entity_idx ON audit_records (entity_type, entity_id);
    CREATE INDEX audit_records_actor_idx ON audit_records (actor_id, created_at);
    CREATE INDEX audit_records_action_idx ON audit_records (action, sequence);
    CREATE INDEX audit_records_created_idx ON audit_records (created_at);
    -- Decisions about the processes of an order are found under the order.
    CREATE INDEX audit_records_order_of_process_idx ON audit_records ((next ->> 'orderId'))
      WHERE entity_type = 'process';
    CREATE TRIGGER audit_records_no_change BEFORE UPDATE OR DELETE ON audit_records
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER audit_records_no_truncate BEFORE TRUNCATE ON audit_records
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

    CREATE TABLE audit_heads (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      sequence bigint NOT NULL,
      record_id uuid NOT NULL,
      hash text NOT NULL,
      count bigint NOT NULL CONSTRAINT audit_heads_count_check CHECK (count > 0),
      kept_at timestamptz NOT NULL,
      key_id text NOT NULL,
      mac text NOT NULL
    );
    CREATE TRIGGER audit_heads_no_change BEFORE UPDATE OR DELETE ON audit_heads
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER audit_heads_no_truncate BEFORE TRUNCATE ON audit_heads
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE audit_heads, audit_records;
    DROP FUNCTION refuse_change();
  `);
}

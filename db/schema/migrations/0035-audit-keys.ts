import type { QueryInterface } from 'sequelize';

/**
 * Audit records are linked under a key, whose name each carries. Those from before keep their unkeyed hash, up to the
 * head that is noted here; the database takes no more of that kind. Every check of the trail keeps its head, so that an
 * end that was cut off is noticed.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE audit_records ADD COLUMN key_id text;
    ALTER TABLE audit_records ADD CONSTRAINT audit_records_keyed_check CHECK (key_id IS NOT NULL) NOT VALID;

    CREATE TABLE audit_heads (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      sequence bigint NOT NULL,
      record_id uuid NOT NULL,
      hash text NOT NULL,
      count bigint NOT NULL CONSTRAINT audit_heads_count_check CHECK (count > 0),
      kept_at timestamptz NOT NULL,
      key_id text,
      mac text,
      CONSTRAINT audit_heads_mac_check CHECK ((key_id IS NULL) = (mac IS NULL))
    );
    INSERT INTO audit_heads (sequence, record_id, hash, count, kept_at)
    SELECT sequence, id, hash, (SELECT count(*) FROM audit_records), now()
    FROM audit_records ORDER BY sequence DESC LIMIT 1;
    ALTER TABLE audit_heads ADD CONSTRAINT audit_heads_keyed_check CHECK (key_id IS NOT NULL) NOT VALID;

    CREATE TRIGGER audit_heads_no_change BEFORE UPDATE OR DELETE ON audit_heads
      FOR EACH ROW EXECUTE FUNCTION refuse_change();
    CREATE TRIGGER audit_heads_no_truncate BEFORE TRUNCATE ON audit_heads
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE audit_heads;
    ALTER TABLE audit_records DROP COLUMN key_id;
  `);
}

import type { QueryInterface } from 'sequelize';

/**
 * What a message says is sealed while it waits, and forgotten when it is out or given up: it may carry a secret that
 * opens an account. Messages that wait from before stay readable until they are sent; `payload` is empty after a day.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE outbox_messages ALTER COLUMN payload DROP NOT NULL, ADD COLUMN sealed_payload bytea;
    UPDATE outbox_messages SET payload = NULL WHERE status <> 'WAITING';
    ALTER TABLE outbox_messages ADD CONSTRAINT outbox_messages_payload_check CHECK (
      num_nonnulls(payload, sealed_payload) = CASE WHEN status = 'WAITING' THEN 1 ELSE 0 END);
    CREATE INDEX outbox_messages_over_idx ON outbox_messages (created_at, id) WHERE status <> 'WAITING';
  `);
}

/** Nobody can open sealed messages any more: what waits is lost, so let the outbox run empty before. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP INDEX outbox_messages_over_idx;
    ALTER TABLE outbox_messages DROP CONSTRAINT outbox_messages_payload_check;
    DELETE FROM outbox_messages WHERE status = 'WAITING' AND payload IS NULL;
    UPDATE outbox_messages SET payload = '{}' WHERE payload IS NULL;
    ALTER TABLE outbox_messages DROP COLUMN sealed_payload, ALTER COLUMN payload SET NOT NULL;
  `);
}

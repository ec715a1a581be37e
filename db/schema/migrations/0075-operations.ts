import type { QueryInterface } from 'sequelize';
import { inShortLocks } from './0053-payables';
import { buildIndex, dropIndex, type ConcurrentIndex } from './0054-payables-checked';

/** The operators' list is read in the order of waiting, also of one type, and by what a process is about. */
const INDEXES: readonly ConcurrentIndex[] = [
  { name: 'parked_processes_waiting_idx', on: 'parked_processes (since, workflow_id)' },
  { name: 'parked_processes_type_idx', on: 'parked_processes (type, since, workflow_id)' },
  { name: 'parked_processes_entity_idx', on: 'parked_processes (entity_id)' },
  { name: 'outbox_messages_given_up_idx', on: `outbox_messages (kind, id) WHERE status = 'DEAD'` },
];

/** Replaced by the first of them, which has its order and ends ties. */
const REPLACED: ConcurrentIndex = { name: 'parked_processes_since_idx', on: 'parked_processes (since)' };

/**
 * A message that was given up keeps its content for a while, so that an administrator can have it sent again; `content_gone`
 * says why one has none. One that was withdrawn after its first try is not tried again, and keeps none. Built outside a
 * transaction, because of the indexes of tables that are written to meanwhile.
 */
export async function up(query: QueryInterface): Promise<void> {
  await inShortLocks(
    query,
    `ALTER TABLE outbox_messages
       ADD COLUMN IF NOT EXISTS dead_at timestamptz,
       ADD COLUMN IF NOT EXISTS content_gone text,
       ADD COLUMN IF NOT EXISTS withdrawn_at timestamptz,
       DROP CONSTRAINT IF EXISTS outbox_messages_payload_check,
       ADD CONSTRAINT outbox_messages_payload_check CHECK (CASE status
         WHEN 'WAITING' THEN num_nonnulls(payload, sealed_payload) = 1
         WHEN 'DEAD' THEN num_nonnulls(payload, sealed_payload) <= 1
         ELSE num_nonnulls(payload, sealed_payload) = 0 END) NOT VALID,
       DROP CONSTRAINT IF EXISTS outbox_messages_content_gone_check,
       ADD CONSTRAINT outbox_messages_content_gone_check CHECK (content_gone IS NULL OR (status = 'DEAD'
         AND content_gone IN ('EXPIRED', 'ERASED', 'WITHDRAWN') AND num_nonnulls(payload, sealed_payload) = 0)) NOT VALID,
       DROP CONSTRAINT IF EXISTS outbox_messages_withdrawn_check,
       ADD CONSTRAINT outbox_messages_withdrawn_check CHECK (withdrawn_at IS NULL OR status <> 'DEAD'
         OR num_nonnulls(payload, sealed_payload) = 0) NOT VALID`,
  );
  for (const name of ['payload', 'content_gone', 'withdrawn'])
    await query.sequelize.query(
      `ALTER TABLE outbox_messages VALIDATE CONSTRAINT outbox_messages_${name}_check`,
    );
  for (const index of INDEXES) await buildIndex(query, index);
  await dropIndex(query, REPLACED.name);
}

/** Older programs expect that a message that was given up has no content. */
export async function down(query: QueryInterface): Promise<void> {
  await buildIndex(query, REPLACED);
  for (const { name } of INDEXES) await dropIndex(query, name);
  await inShortLocks(
    query,
    `ALTER TABLE outbox_messages DROP COLUMN IF EXISTS withdrawn_at, DROP COLUMN IF EXISTS content_gone,
       DROP COLUMN IF EXISTS dead_at,
       DROP CONSTRAINT IF EXISTS outbox_messages_payload_check;
     UPDATE outbox_messages SET payload = NULL, sealed_payload = NULL WHERE status = 'DEAD';
     ALTER TABLE outbox_messages ADD CONSTRAINT outbox_messages_payload_check CHECK (
       num_nonnulls(payload, sealed_payload) = CASE WHEN status = 'WAITING' THEN 1 ELSE 0 END)`,
  );
}

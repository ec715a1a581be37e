import { QueryTypes, type QueryInterface } from 'sequelize';
import { inShortLocks } from './0053-payables';
import { buildIndex, dropIndex, type ConcurrentIndex } from './0054-payables-checked';

const INDEXES: readonly ConcurrentIndex[] = [
  {
    name: 'ledger_entries_provider_idx',
    on: `ledger_entries (account, currency) INCLUDE (amount_minor) WHERE account ^@ 'clearing_provider_'`,
  },
  {
    name: 'webhook_events_unreconciled_idx',
    on: `webhook_events (received_at, id) WHERE kind = 'INVESTMENT' AND reconciled_at IS NULL`,
  },
  {
    name: 'webhook_events_waits_for_idx',
    on: 'webhook_events (provider, waits_for) WHERE waits_for IS NOT NULL',
  },
  { name: 'webhook_events_subject_idx', on: 'webhook_events (subject) WHERE subject IS NOT NULL' },
  { name: 'webhook_events_concerned_idx', on: 'webhook_events (user_id) WHERE user_id IS NOT NULL' },
  { name: 'webhook_events_order_idx', on: 'webhook_events (order_id) WHERE order_id IS NOT NULL' },
  {
    name: 'webhook_events_user_idx',
    on: `webhook_events (reported_field(body, 'userId')) WHERE kind = 'INVESTMENT' AND body IS NOT NULL`,
  },
  {
    name: 'webhook_events_email_idx',
    on: `webhook_events (reported_field(body, 'email')) WHERE kind = 'INVESTMENT' AND body IS NOT NULL`,
  },
  {
    name: 'webhook_events_movement_idx',
    on: `webhook_events (provider, reported_field(body, 'externalId')) WHERE kind = 'INVESTMENT' AND body IS NOT NULL`,
  },
  {
    name: 'webhook_events_waiting_idx',
    on: `webhook_events (provider) WHERE kind = 'INVESTMENT' AND status = 'WAITING'`,
  },
  { name: 'webhook_events_provider_idx', on: 'webhook_events (provider, received_at DESC, id DESC)' },
  {
    name: 'webhook_events_status_idx',
    on: `webhook_events (status, received_at DESC, id DESC) WHERE status IN ('WAITING', 'IGNORED', 'DEAD', 'DISCARDED')`,
  },
  {
    name: 'webhook_events_kind_idx',
    on: `webhook_events (received_at DESC, id DESC) WHERE kind = 'INVESTMENT'`,
  },
  { name: 'webhook_events_type_idx', on: 'webhook_events (type, received_at DESC, id DESC)' },
  {
    name: 'webhook_events_discarded_idx',
    on: `webhook_events (processed_at) WHERE body IS NOT NULL AND status = 'DISCARDED'`,
  },
];

/**
 * What investment needs of tables that money was in before: indexes, constraints that are checked against the rows that are
 * there, and whose a report is as a part of its identity. All of it while reports and bookings are written.
 */
export async function up(query: QueryInterface): Promise<void> {
  for (const index of INDEXES) await buildIndex(query, index);
  for (const rule of ['kind', 'waits_for', 'status', 'body'])
    await query.sequelize.query(
      `ALTER TABLE webhook_events VALIDATE CONSTRAINT webhook_events_${rule}_check`,
    );
  await identifyBy(query, 'provider, external_event_id, kind');
}

export async function down(query: QueryInterface): Promise<void> {
  await identifyBy(query, 'provider, external_event_id');
  for (const { name } of INDEXES) await dropIndex(query, name);
}

/** Makes these columns the identity of a report, in the place of others. */
async function identifyBy(query: QueryInterface, columns: string): Promise<void> {
  const found = await query.sequelize.query(
    `SELECT 1 FROM pg_constraint WHERE conrelid = 'webhook_events'::regclass AND conname = 'webhook_events_external_key'
       AND pg_get_constraintdef(oid) = 'UNIQUE (${columns})'`,
    { type: QueryTypes.SELECT },
  );
  if (found.length > 0) return;
  const name = 'webhook_events_next_external_key';
  await buildIndex(query, { name, unique: true, on: `webhook_events (${columns})` });
  await inShortLocks(
    query,
    `ALTER TABLE webhook_events DROP CONSTRAINT webhook_events_external_key,
       ADD CONSTRAINT webhook_events_external_key UNIQUE USING INDEX ${name}`,
  );
}

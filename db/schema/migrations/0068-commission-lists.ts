import type { QueryInterface } from 'sequelize';
import { inShortLocks } from './0053-payables';
import { buildIndex, dropIndex, type ConcurrentIndex } from './0054-payables-checked';

/**
 * Each order of the lists of commissions, each filter that few of them fit, statements, the erasure of a partner and the
 * export of a user's accounts read one of these.
 */
const INDEXES: readonly ConcurrentIndex[] = [
  {
    name: 'partner_commissions_status_idx',
    on: 'partner_commissions (status, created_at DESC, id DESC)',
  },
  { name: 'partner_commissions_amount_idx', on: 'partner_commissions (net_minor, id)' },
  { name: 'partner_commissions_type_idx', on: 'partner_commissions (type, created_at DESC, id DESC)' },
  {
    name: 'partner_commissions_source_idx',
    on: 'partner_commissions (source_type, created_at DESC, id DESC)',
  },
  {
    name: 'partner_commissions_totals_idx',
    on: 'partner_commissions (partner_id, status, type) INCLUDE (net_minor)',
  },
  {
    name: 'partner_commissions_adjusted_idx',
    on: 'partner_commissions (partner_id) WHERE adjustment_reason IS NOT NULL',
  },
  {
    name: 'ledger_entries_account_idx',
    on: 'ledger_entries (user_id, account, id) WHERE user_id IS NOT NULL',
  },
  {
    name: 'ledger_entries_partner_idx',
    on: `ledger_entries (user_id, currency, created_at, transfer_id) INCLUDE (amount_minor, account)
      WHERE account IN ('partner_pending', 'partner_available')`,
  },
];

/** Lists of commissions that stay fast with millions of rows, and who approved one before its time. */
export async function up(query: QueryInterface): Promise<void> {
  await inShortLocks(
    query,
    `ALTER TABLE partner_commissions ADD COLUMN IF NOT EXISTS approved_by uuid
       CONSTRAINT partner_commissions_approved_by_fkey REFERENCES users (id)`,
  );
  for (const index of INDEXES) await buildIndex(query, index);
}

export async function down(query: QueryInterface): Promise<void> {
  for (const { name } of INDEXES) await dropIndex(query, name);
  await inShortLocks(query, 'ALTER TABLE partner_commissions DROP COLUMN IF EXISTS approved_by');
}

import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { rows } from '../../../db/sql/query';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const file = resolve(__dirname, 'schema.guards.txt');

/**
 * Everything by which the migrated schema refuses what must not be, a line each: CHECKs, keys, foreign keys, exclusions,
 * unique and partial indexes, and triggers. The server's own constraints of NOT NULL are compared with the models.
 */
async function guards(): Promise<string> {
  const found = await rows<{ line: string }>(
    own.owner,
    `SELECT format('%s %s: %s', c.conrelid::regclass, c.conname, pg_get_constraintdef(c.oid)) AS line
       FROM pg_constraint c
       WHERE c.connamespace = 'public'::regnamespace AND c.contype IN ('c', 'f', 'p', 'u', 'x') AND c.conrelid <> 0
     UNION ALL
     SELECT format('%s %s: %s', i.indrelid::regclass, i.indexrelid::regclass,
         regexp_replace(pg_get_indexdef(i.indexrelid), ' INDEX \\S+ ON public\\.\\S+', ''))
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
       WHERE c.relnamespace = 'public'::regnamespace AND (i.indisunique OR i.indpred IS NOT NULL)
         AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('p', 'u', 'x'))
     UNION ALL
     SELECT format('%s %s: %s', t.tgrelid::regclass, t.tgname,
         regexp_replace(pg_get_triggerdef(t.oid), '^CREATE (CONSTRAINT )?TRIGGER \\S+ ', '\\1'))
       FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
       WHERE c.relnamespace = 'public'::regnamespace AND NOT t.tgisinternal`,
  );
  const lines = found.map(({ line }) => line.replaceAll(/\s+/g, ' ').trim()).sort();
  return `${lines.join('\n')}\n`;
}

test('what the schema refuses is what stands in schema.guards.txt; WRITE_SCHEMA_GUARDS=true writes it anew', async () => {
  const now = await guards();
  if (process.env['WRITE_SCHEMA_GUARDS'] === 'true') writeFileSync(file, now);
  expect(now).toBe(readFileSync(file, 'utf8'));
});

test('the guards of money and stock are among them', async () => {
  const now = await guards();
  for (const name of [
    'payment_attempts_one_paid_key',
    'orders_refunded_check',
    'refund_requests_one_open_key',
    'coupons_used_count_check',
    'ledger_balances_not_negative',
    'ledger_entries_1_balances',
    'ledger_holds_not_negative',
    'stock_items_available_check',
    'audit_records_no_change',
  ])
    expect(now).toContain(` ${name}: `);
});

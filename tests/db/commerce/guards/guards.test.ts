import { execute, firstRow } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { insert } from '../../../support/builders/make/insert';
import { casesOf, guardsAmong, refusedBy, type Violating } from '../../../support/checks/guards';
import { ownDatabase } from '../../../support/servers/database';

const own = ownDatabase();

/** The tables and columns that migration 0073 has made. */
const PATTERNS = [
  /^(provider_(reconciliations|movements)|reconciliation_differences) /,
  /^sandbox_payments \w+_fee_check$/,
];
const guards = guardsAmong(PATTERNS, ['CHECK', 'UNIQUE', 'CREATE UNIQUE']);
const primary = guardsAmong(PATTERNS, ['PRIMARY KEY']);
const references = guardsAmong(PATTERNS, ['FOREIGN KEY']);

const runs = (change: string): string => `UPDATE provider_reconciliations SET ${change}`;
const said = (change: string): string => `UPDATE provider_movements SET ${change}`;
const found = (change: string): string => `UPDATE reconciliation_differences SET ${change}`;

const violating: Violating = {
  provider_reconciliations_day_key: [runs(`day = '2026-01-01'`)],
  provider_reconciliations_reading_check: [runs('reading = 0')],
  provider_reconciliations_compared_check: [
    runs('read_at = NULL'),
    runs(`compared_at = started_at - interval '1 second'`),
  ],
  provider_reconciliations_counts_check: [runs('movements = -1'), runs('fees_booked = -1')],
  provider_movements_kind_check: [said(`kind = 'OTHER'`)],
  provider_movements_chargeback_check: [said(`chargeback_id = 'dp_1'`)],
  provider_movements_amount_check: [said('amount_minor = 0')],
  provider_movements_currency_check: [said(`currency = 'usd'`), said(`currency = 'EURO'`)],
  reconciliation_differences_kind_check: [found(`kind = 'OTHER'`)],
  reconciliation_differences_movement_check: [found(`movement_kind = 'OTHER'`)],
  reconciliation_differences_key: [found(`provider_id = 'the same', our_id = NULL`)],
  reconciliation_differences_clearing_check: [found(`kind = 'CLEARING'`), found('movement_kind = NULL')],
  reconciliation_differences_source_check: [
    found(`run_id = NULL, kind = 'AMOUNT'`),
    found(`run_id = NULL, movement_kind = 'CAPTURE'`),
    found(`provider = 'bank-file'`),
  ],
  reconciliation_differences_sides_check: [
    found('provider_id = NULL, our_id = NULL'),
    found('our_minor = 1, our_currency = NULL'),
    found('their_minor = NULL'),
  ],
  reconciliation_differences_resolved_check: [
    found(`note = 'Nobody said it.'`),
    found('resolved_by = (SELECT id FROM users LIMIT 1), resolved_at = now()'),
    found(`resolved_by = (SELECT id FROM users LIMIT 1), note = 'It is open.'`),
  ],
  sandbox_payments_fee_check: ['UPDATE sandbox_payments SET fee_minor = -1'],
};

beforeAll(async () => {
  const { db } = own;
  await make.admin(db);
  for (const day of ['2026-01-01', '2026-01-02']) await make.difference(db, { day });
  await execute(db, `UPDATE reconciliation_differences SET resolved_at = NULL`);
  await insert(db, 'provider_movements', {
    ...{
      provider: 'sandbox',
      kind: 'CAPTURE',
      provider_id: 'p',
      day: '2026-01-01',
      amount_minor: 1,
      currency: 'USD',
    },
    ...{ occurred_at: new Date(), reading: 1 },
  });
  await execute(
    db,
    `INSERT INTO sandbox_payments (id, payment_key, amount_minor, currency, status, created_at)
     VALUES (gen_random_uuid(), gen_random_uuid(), 1, 'USD', 'PAID', now())`,
  );
});

test('every CHECK and key is violated by a case below, and no case is left over', () => {
  expect(Object.keys(violating).sort()).toEqual(guards.map(({ name }) => name).sort());
  expect([primary.length, references.length]).toEqual([3, 3]);
});

test.each(casesOf(violating))('%s refuses %s', async (name, statement) => {
  expect(await refusedBy(own.owner, statement, name)).toBe(name);
});

test.each(primary)('$name refuses a row again', async ({ table, name }) => {
  expect(await refusedBy(own.owner, `INSERT INTO ${table} SELECT * FROM ${table}`, name)).toBe(name);
});

test.each(references)('$name refuses what it does not know', async ({ table, name }) => {
  const change = {
    provider_movements_day_fkey: `day = '2026-02-02'`,
    reconciliation_differences_run_fkey: 'run_id = gen_random_uuid()',
    reconciliation_differences_resolved_by_fkey: `resolved_by = gen_random_uuid(), resolved_at = now(), note = 'Why.'`,
  }[name];
  expect(await refusedBy(own.owner, `UPDATE ${table} SET ${change ?? ''}`, name)).toBe(name);
});

test('the rows themselves are allowed: each table has some', async () => {
  for (const table of new Set([...guards, ...primary].map((guard) => guard.table)))
    expect([table, await firstRow(own.db, `SELECT 1 AS found FROM ${table} LIMIT 1`)]).toEqual([
      table,
      { found: 1 },
    ]);
});

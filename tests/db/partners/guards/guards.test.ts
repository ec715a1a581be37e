import { execute, firstRow } from '../../../../db/sql/query';
import { casesOf, guardsAmong, refusedBy } from '../../../support/checks/guards';
import { ownDatabase } from '../../../support/servers/database';
import { guardedRows } from './guarded-rows';
import { violatingCommissions } from './violating-commissions';
import { violatingEntrances } from './violating-entrances';
import { violatingPools } from './violating-pools';
import { violatingProgramme } from './violating-programme';

const own = ownDatabase();
const violating = {
  ...violatingProgramme,
  ...violatingCommissions,
  ...violatingEntrances,
  ...violatingPools,
};

/** The tables that migrations 0061 to 0068 have made, and what they have added to tables of before. */
const PATTERNS = [
  /^(partner|pool)_\w+ /,
  /^partners partners_(number_key|depth_check|sponsor_check)$/,
  /^domain_events domain_events_(type_check|id_key)$/,
  /^event_deliveries /,
  /^(chargebacks|payment_\w+) \w+_(payable_check|entrance_sequence_key|(one_paid|one_applied)_entrance_key|entrance_fkey)$/,
];
const guards = guardsAmong(PATTERNS, ['CHECK', 'UNIQUE', 'CREATE UNIQUE', 'EXCLUDE']);
const primary = guardsAmong(PATTERNS, ['PRIMARY KEY']);
const references = guardsAmong(PATTERNS, ['FOREIGN KEY']);

/** With the id in front no two rows can have the same; touches refer to it. */
const IMPLIED = ['partner_links_owner_key'];

beforeAll(() => guardedRows(own.db));

test('every CHECK and key of the programme is violated by a case below, and no case is left over', () => {
  const named = guards.map(({ name }) => name).filter((name) => !IMPLIED.includes(name));
  expect(Object.keys(violating).sort()).toEqual(named.sort());
  expect(primary.length).toBeGreaterThan(14);
  expect(references.length).toBeGreaterThan(25);
});

// Of the role that may do everything else.
test.each(casesOf(violating))('%s refuses %s', async (name, statement) => {
  expect(await refusedBy(own.owner, statement, name)).toBe(name);
});

test.each(primary)('$name refuses a row again', async ({ table, name }) => {
  // Shares have a computed column, which is not inserted.
  const again =
    table === 'pool_shares'
      ? 'UPDATE pool_shares SET partner_id = (SELECT partner_id FROM pool_shares LIMIT 1)'
      : `INSERT INTO ${table} OVERRIDING SYSTEM VALUE SELECT * FROM ${table}`;
  expect(await refusedBy(own.owner, again, name)).toBe(name);
});

/** The column of a foreign key, and a value that nothing has. */
function strangers(definition: string): { column: string; value: string } {
  const [, column = ''] = /^FOREIGN KEY \("?(\w+)"?\)/.exec(definition) ?? [];
  const number = { programme_version: '99', position: '-position' }[column];
  return { column, value: number ?? 'gen_random_uuid()' };
}

test.each(references)('$name refuses what it does not know', async ({ table, name, definition }) => {
  const { column, value } = strangers(definition);
  // A rank is never changed.
  const statement =
    table === 'partner_ranks'
      ? `INSERT INTO partner_ranks SELECT (jsonb_populate_record(r, '{"programme_version": 99}')).* FROM partner_ranks r`
      : `UPDATE ${table} SET ${column} = ${value} WHERE ${column} IS NOT NULL`;
  expect(await refusedBy(own.owner, statement, name)).toBe(name);
});

test.each([
  'UPDATE partner_programmes SET withholding_bp = 1',
  'DELETE FROM partner_programmes',
  'UPDATE partner_ranks SET bonus_minor = 1',
  'DELETE FROM partner_ranks',
])('a version of the programme never changes: %s', async (statement) => {
  const fixed = 'A version of the partner programme does not change';
  await expect(execute(own.owner, statement)).rejects.toThrow(fixed);
});

test('a partner who joins below itself is refused, since its place cannot be derived', async () => {
  const itself = `INSERT INTO partners (id, user_id, referral_code, status, sponsor_id, joined_at)
    SELECT id, gen_random_uuid(), 'ITSELF', 'ACTIVE', id, now() FROM (SELECT gen_random_uuid() AS id) AS one`;
  await expect(execute(own.db, itself)).rejects.toThrow(/"path"/);
});

test.each([
  'sponsor_id = NULL',
  'user_id = (SELECT id FROM users WHERE id NOT IN (SELECT user_id FROM partners) LIMIT 1)',
  `path = '9'`,
])('the place of a partner is fixed: %s', async (change) => {
  const statement = `UPDATE partners SET ${change} WHERE sponsor_id IS NOT NULL`;
  expect(await refusedBy(own.owner, statement, 'partners_place_fixed')).toBe('partners_place_fixed');
});

test('the rows themselves are allowed: each table has some', async () => {
  for (const table of new Set([...guards, ...primary].map((guard) => guard.table)))
    expect([table, await firstRow(own.db, `SELECT 1 AS found FROM ${table} LIMIT 1`)]).toEqual([
      table,
      { found: 1 },
    ]);
});

import { firstRow, rows } from '../../../../db/sql/query';
import { casesOf, guardsAmong, refusedBy } from '../../../support/checks/guards';
import { ownDatabase } from '../../../support/servers/database';
import { guardedRows } from './guarded-rows';
import { violatingParticipations } from './violating-participations';
import { violatingPayments, violatingReports, violatingWithdrawals } from './violating-payments';
import { violatingStrategies } from './violating-strategies';

const own = ownDatabase();
const violating = {
  ...violatingStrategies,
  ...violatingParticipations,
  ...violatingWithdrawals,
  ...violatingReports,
  ...violatingPayments,
};

/** The tables that migrations 0051 to 0060 have made, and what they have added to tables of before. */
const TABLES =
  /^(investment_\w+|participation\w*|kyc_(provider_reports|pushes|syncs)|provider_day_totals|sandbox_transfers) /;
const ADDED = [
  /^(chargebacks|payment_\w+) \w+_(payable_check|participation_sequence_key|(one_paid|one_applied)_participation_key)$/,
  /^media media_(content_type|picture|purpose)_check$/,
  /^webhook_events webhook_events_(external_key|kind_check|outcome_check|waits_for_check)$/,
  /^domain_events domain_events_type_check$/,
];

const guards = guardsAmong([TABLES, ...ADDED], ['CHECK', 'UNIQUE', 'PRIMARY KEY', 'CREATE UNIQUE']);
const primary = guards.filter(({ definition }) => definition.startsWith('PRIMARY KEY'));

beforeAll(() => guardedRows(own.db));

test('every CHECK and key of investment is violated by a case below, and no case is left over', () => {
  const named = guards.filter((guard) => !primary.includes(guard)).map(({ name }) => name);
  expect(Object.keys(violating).sort()).toEqual(named.sort());
  expect(primary.length).toBeGreaterThan(15);
});

// Of the role that may do everything else.
test.each(casesOf(violating))('%s refuses %s', async (name, statement) => {
  expect(await refusedBy(own.owner, statement, name)).toBe(name);
});

test.each(primary)('$name refuses a row again', async ({ table, name }) => {
  expect(await refusedBy(own.owner, `INSERT INTO ${table} SELECT * FROM ${table}`, name)).toBe(name);
});

test('the rows themselves are allowed: each table has some', async () => {
  for (const table of new Set(guards.map((guard) => guard.table)))
    expect([table, await firstRow(own.db, `SELECT 1 AS found FROM ${table} LIMIT 1`)]).toEqual([
      table,
      { found: 1 },
    ]);
  expect(await rows(own.db, `SELECT 1 FROM investment_withdrawals WHERE provider = 'bank'`)).toHaveLength(2);
});

import { v7 } from 'uuid';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { reporting, standing } from './reporting';

const own = ownDatabase();

async function begin() {
  const { id: userId } = await make.user(own.db, { kycLevel: 'STANDARD' });
  const strategy = await make.strategy(own.db);
  await make.signedIn(own.db, strategy.providerCode, userId);
  const created = {
    ...{ externalId: v7(), userId, strategyCode: strategy.strategyCode, amount: 1_000 },
    ...{ currency: 'USD', startDate: '2026-06-01T12:00:00Z' },
  };
  return { userId, created, ...reporting(own.db, strategy.providerCode) };
}

const CHARACTER = 'A text in it has a character that cannot be stored: U+0000, or half a surrogate pair.';

/** Data nested in lists and objects. */
const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce((inner: unknown, _, level) => (level % 2 ? [inner] : { inner }), 'x');

test.each<[string, object, string]>([
  ['U+0000 in the currency', { currency: 'US\u0000' }, CHARACTER],
  ['U+0000 in a strategy code', { strategyCode: 'a\u0000' }, CHARACTER],
  ['U+0000 in an email address', { email: 'a\u0000@example.com' }, CHARACTER],
  ['half a surrogate pair', { strategyCode: '\ud83d' }, CHARACTER],
  ['U+0000 in a field that nobody reads', { note: ['a', { b: '\u0000' }] }, CHARACTER],
  ['U+0000 in the name of a field', { 'a\u0000': 1 }, CHARACTER],
  ['a hundred levels', { note: nested(100) }, 'Its values are nested too deeply.'],
  ['a thousand levels', { note: nested(1_000) }, 'Its values are nested too deeply.'],
  ['a currency in small letters', { currency: 'usd' }, 'Fields are missing or not valid: currency.'],
  ['the year 0', { startDate: '0000-01-01' }, 'Fields are missing or not valid: startDate.'],
])('investment.created with %s is DEAD at once, and says so', async (_, change, reason) => {
  const { created, report } = await begin();
  expect(await report({ type: 'investment.created', data: { ...created, ...change } })).toEqual({
    outcome: 'DEAD',
    reason,
  });
  expect(await violations(own.db)).toEqual([]);
});

test.each([
  ['profit.distributed', { period: 'a\u0000' }],
  ['kyc.synced', { status: 'a\u0000' }],
  ['kyc.synced', { level: '\udc00' }],
  ['kyc.synced', { data: { name: '\u0000' } }],
  ['investment.updated', { status: '\u0000' }],
])('%s with %j is DEAD, without an error of the database', async (type, change) => {
  const { userId, report } = await begin();
  const data = { externalId: 'a', investmentExternalId: 'b', amount: 1, userId, status: 'OK', level: 'FULL' };
  expect(await report({ type, data: { ...data, ...change } })).toEqual({
    outcome: 'DEAD',
    reason: CHARACTER,
  });
});

test.each([
  ['investment.created', 'externalId', 'ada@example.com'],
  ['investment.created', 'externalId', 'Ada Lovelace'],
  ['investment.created', 'strategyCode', 'ada@example.com'],
  ['investment.created', 'strategyCode', 'Ada Lovelace'],
  ['investment.created', 'participationId', 'ada@example.com'],
  ['profit.distributed', 'externalId', 'ada@example.com'],
  ['profit.distributed', 'investmentExternalId', 'ada@example.com'],
  ['investment.updated', 'investmentExternalId', 'ada@example.com'],
  ['investment.withdrawn', 'externalId', 'ada@example.com'],
  ['investment.withdrawn', 'investmentExternalId', 'ada@example.com'],
])('%s with an email address or a name as %s is DEAD, and the reason has none', async (type, field, id) => {
  const { created, store, apply, row } = await begin();
  const report = await store({ type, data: { ...created, investmentExternalId: v7(), [field]: id } });
  const reason = `Fields are missing or not valid: ${field}.`;
  expect(await apply(report)).toEqual({ outcome: 'DEAD', reason });
  expect(await row(report)).toMatchObject({ error: reason, waitsFor: null });
});

test('a field that is null is absent: no penalty, no status, no date, in every type of report', async () => {
  const { created, userId, report } = await begin();
  const of = { investmentExternalId: created.externalId };
  const reports: [string, Record<string, unknown>][] = [
    ['investment.created', { ...created, email: null, participationId: null, maturityDate: null }],
    ['investment.updated', { ...of, currentValue: 1_005, status: null, maturityDate: null }],
    ['profit.distributed', { ...of, externalId: v7(), amount: 10, period: null }],
    ['kyc.synced', { userId, status: 'OK', level: 'FULL', data: null }],
    ['investment.withdrawn', { ...of, externalId: v7(), amount: 1_010, penalty: null, status: null }],
  ];
  for (const [type, data] of reports)
    expect([type, await report({ type, data })]).toMatchObject([type, { outcome: 'APPLIED' }]);
  const { participation, transactions } = await standing(own.db, created.externalId);
  expect(participation).toMatchObject({
    status: 'WITHDRAWN',
    earnedMinor: 10_00,
    reportedValueMinor: 1_005_00,
  });
  expect(transactions).toMatchObject([
    { type: 'DEPOSIT', amountMinor: 1_000_00 },
    { type: 'PROFIT', amountMinor: 10_00 },
    { type: 'WITHDRAWAL', amountMinor: 1_010_00 },
  ]);
  expect(await violations(own.db)).toEqual([]);
});

test.each(['externalId', 'strategyCode', 'amount', 'startDate'])(
  'null for %s, which is required, is DEAD and named',
  async (field) => {
    const { created, report } = await begin();
    expect(await report({ type: 'investment.created', data: { ...created, [field]: null } })).toEqual({
      ...{ outcome: 'DEAD', reason: `Fields are missing or not valid: ${field}.` },
    });
  },
);

test('emoji and what only looks like an escape are texts like others', async () => {
  const { created, report } = await begin();
  const note = '\u{1F600} \\u0000 \\ud83d';
  expect(await report({ type: 'investment.created', data: { ...created, note } })).toMatchObject({
    outcome: 'APPLIED',
  });
  expect(await violations(own.db)).toEqual([]);
});

test('a time of the report in the year 0 is DEAD', async () => {
  const { created, report } = await begin();
  const applied = await report({
    type: 'investment.created',
    data: created,
    timestamp: '0000-01-01T00:00:00Z',
  });
  expect(applied).toMatchObject({ outcome: 'DEAD' });
});

test('of one provider only so many reports wait: more are DEAD at once', async () => {
  const { code } = await make.provider(own.db);
  const { report, store, apply } = reporting(own.db, code, { POLICY_WAITING_EVENTS: '2' });
  const of = (externalId: string) => ({
    type: 'profit.distributed',
    data: { externalId, investmentExternalId: 'unknown', amount: 1 },
  });
  const first = await store(of('1'));
  expect(await apply(first)).toMatchObject({ outcome: 'WAITING' });
  expect(await report(of('2'))).toMatchObject({ outcome: 'WAITING' });
  expect(await report(of('3'))).toMatchObject({
    outcome: 'DEAD',
    reason: expect.stringMatching(/Too many reports/) as string,
  });
  expect(await apply(first)).toMatchObject({ outcome: 'WAITING' });
});

test('an amount with more digits than a number of this program has is the same for every later reader', async () => {
  const { created, report, store, apply } = await begin();
  await report({ type: 'investment.created', data: created });
  const data = { externalId: v7(), investmentExternalId: created.externalId, amount: 5 };
  const id = await store({ type: 'profit.distributed', data });
  await execute(
    own.db,
    `UPDATE webhook_events SET body = replace(body, ':5}', ':5.0000000000000000001}') WHERE id = $1`,
    [id],
  );
  expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
  expect(await violations(own.db)).toEqual([]);
});

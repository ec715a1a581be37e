import { internalProvider } from '../../../../db/investment/provider/provider.writes';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { manyInvestors } from '../../../support/builders/investing/many-investors';
import { ownDatabase } from '../../../support/servers/database';
import { compare, DAY_MS, inTwoHours, providerOf as providerIn } from './reconciling';

const own = ownDatabase();
const differences = (provider: string, at?: Date, page?: number, providerDebtLimit?: number) =>
  compare(own.db, provider, at, page, providerDebtLimit);
const providerOf = (currency?: string) => providerIn(own.db, currency);

test('finds nothing where what was reported is held: profits, losses, payouts with a penalty, repeats, malformed reports', async () => {
  const alpha = await providerOf();
  await alpha.created('inv-1', 1_000.1);
  await alpha.created('inv-1', 1_000.1);
  for (const amount of [0.1, 0.2, -0.05]) await alpha.profit('inv-1', amount);
  await alpha.profit('inv-1', 7, 'same');
  await alpha.profit('inv-1', 7, 'same');
  await alpha.created('inv-2');
  await alpha.withdrawn('inv-2', 1_000, { penalty: 19.5 });
  await alpha.report({ type: 'profit.distributed', data: { nothing: 'of use' } });
  await alpha.store({
    type: 'investment.updated',
    data: { investmentExternalId: 'inv-1', currentValue: 1_200 },
  });
  expect(await differences(alpha.code)).toEqual([]);
  expect(
    await rows(own.db, `SELECT 1 FROM webhook_events WHERE provider = $1 AND reconciled_at IS NULL`, [
      alpha.code,
    ]),
  ).toEqual([]);
});

test('names sums that differ, refreshes them, and resolves them when they are gone', async () => {
  const alpha = await providerOf();
  for (const externalId of ['a', 'b', 'c']) await alpha.created(externalId);
  // Corrected later to amounts that are not applied, since a movement is recorded once.
  await alpha.profit('a', 10, 'profit-of-a');
  await alpha.profit('a', 12.5, 'profit-of-a');
  const before = await alpha.store({
    type: 'profit.distributed',
    data: { externalId: 'profit-of-b', investmentExternalId: 'b', amount: 3 },
  });
  await alpha.created('c', 999);
  const at = inTwoHours();
  expect(await differences(alpha.code, at)).toEqual([
    { kind: 'PRINCIPAL_DIFFERS', name: 'c', heldMinor: 1_000_00, reportedMinor: 999_00, currency: 'USD' },
    { kind: 'PROFITS_DIFFER', name: 'a', heldMinor: 10_00, reportedMinor: 12_50, currency: 'USD' },
    { kind: 'PROFITS_DIFFER', name: 'b', heldMinor: 0, reportedMinor: 3_00, currency: 'USD' },
  ]);
  await alpha.apply(before);
  await alpha.profit('a', 10, 'profit-of-a');
  await alpha.created('c', 1_000);
  const tomorrow = new Date(at.getTime() + DAY_MS);
  expect(await differences(alpha.code, tomorrow)).toEqual([]);
  const all = await rows<{ foundAt: Date; resolvedAt: Date }>(
    own.db,
    'SELECT found_at, resolved_at FROM investment_differences WHERE provider_code = $1',
    [alpha.code],
  );
  expect(all).toHaveLength(3);
  for (const { foundAt, resolvedAt } of all) expect([foundAt, resolvedAt]).toEqual([at, tomorrow]);
});

test('a difference that is found again stays one, with its newest amounts and the time it was last seen', async () => {
  const alpha = await providerOf();
  await alpha.created('a');
  await alpha.profit('a', 10, 'one');
  await alpha.profit('a', 11, 'one');
  const first = inTwoHours();
  await differences(alpha.code, first);
  await alpha.profit('a', 12, 'one');
  const second = new Date(first.getTime() + DAY_MS);
  expect(await differences(alpha.code, second)).toMatchObject([{ heldMinor: 10_00, reportedMinor: 12_00 }]);
  expect(
    await rows(own.db, 'SELECT found_at, last_seen_at FROM investment_differences WHERE provider_code = $1', [
      alpha.code,
    ]),
  ).toEqual([{ foundAt: first, lastSeenAt: second }]);
});

test('waits an hour for reports that may not be applied yet', async () => {
  const alpha = await providerOf();
  await alpha.created('a');
  const profit = { externalId: 'p', investmentExternalId: 'a', amount: 5 };
  await alpha.store({ type: 'profit.distributed', data: profit });
  expect(await differences(alpha.code, new Date())).toEqual([]);
  expect(await differences(alpha.code)).toHaveLength(1);
});

test('names a participation that runs for three days without a word of its provider', async () => {
  const alpha = await providerOf();
  const at = new Date(Date.now() - 4 * DAY_MS);
  const of = { userId: alpha.userId, strategyId: alpha.strategy.id };
  await make.participation(own.db, { ...of, status: 'ACTIVE', at, amountMinor: 500_00 });
  await make.participation(own.db, {
    ...of,
    status: 'ACTIVE',
    at: new Date(Date.now() - DAY_MS),
    amountMinor: 600_00,
  });
  await make.participation(own.db, { ...of, status: 'PENDING_PAYMENT', at });
  expect(await differences(alpha.code, new Date())).toEqual([
    { kind: 'NOT_REPORTED', name: null, heldMinor: 500_00, reportedMinor: null, currency: 'USD' },
  ]);
  await alpha.created('late', 500);
  expect(await differences(alpha.code)).toEqual([]);
});

test('expects no word of the platform itself, whose strategies nobody reports', async () => {
  const code = await inTransaction(own.db, (tx) => internalProvider(tx, new Date()));
  const strategy = await make.strategy(own.db, { providerCode: code });
  const { id: userId } = await make.user(own.db, { kycLevel: 'STANDARD' });
  const at = new Date(Date.now() - 4 * DAY_MS);
  await make.participation(own.db, { userId, strategyId: strategy.id, status: 'ACTIVE', at });
  expect(await differences(code)).toEqual([]);
});

test('a participation that ended without a word of its provider is still named', async () => {
  const alpha = await providerOf();
  const at = new Date(Date.now() - 4 * DAY_MS);
  const of = { userId: alpha.userId, strategyId: alpha.strategy.id };
  const { id } = await make.participation(own.db, { ...of, status: 'ACTIVE', at, amountMinor: 500_00 });
  expect(await differences(alpha.code)).toMatchObject([{ kind: 'NOT_REPORTED' }]);
  await execute(
    own.owner,
    `UPDATE participations SET status = 'MATURED', ended_at = now(), withdrawn_minor = amount_minor WHERE id = $1`,
    [id],
  );
  expect(await differences(alpha.code)).toMatchObject([{ kind: 'NOT_REPORTED', heldMinor: 500_00 }]);
});

test('names investments that were reported three days ago and that nobody here has, until one has', async () => {
  const alpha = await providerOf('JPY');
  await alpha.created('unknown', 90_000, { userId: '018f0000-0000-7000-8000-000000000000' });
  await alpha.profit('never-reported', 4);
  expect(await differences(alpha.code)).toEqual([]);
  const later = new Date(Date.now() + 4 * DAY_MS);
  expect(await differences(alpha.code, later)).toEqual([
    { kind: 'UNKNOWN_HERE', name: 'never-reported', heldMinor: null, reportedMinor: null, currency: null },
    { kind: 'UNKNOWN_HERE', name: 'unknown', heldMinor: null, reportedMinor: 90_000, currency: 'JPY' },
  ]);
  await alpha.created('unknown', 90_000);
  expect(await differences(alpha.code, later)).toMatchObject([{ name: 'never-reported' }]);
});

test('is not stopped by what a provider makes up: amounts beyond all bounds, and fractions of a cent', async () => {
  const alpha = await providerOf();
  await alpha.created('a');
  await alpha.profit('a', 1e300, 'huge');
  await alpha.profit('a', -1e300, 'tiny');
  await alpha.profit('a', 1e300, 'huge-2');
  await alpha.profit('a', 0.001, 'fraction');
  await alpha.report({
    type: 'profit.distributed',
    data: { externalId: 'x\u0000', investmentExternalId: 'a', amount: 1 },
  });
  expect(await differences(alpha.code)).toEqual([
    { kind: 'PROFITS_DIFFER', name: 'a', heldMinor: 0, reportedMinor: 999_999_999_999_999, currency: 'USD' },
  ]);
});

test('is not stopped by a report that the database refuses: that one is set aside, and the others count', async () => {
  const alpha = await providerOf();
  await alpha.created('a');
  for (const currency of ['US\u0000', 'US\ud800', 'usd', 'US1']) {
    const applied = await alpha.created(`bad ${currency}`.replaceAll(/[^a-z]/g, ''), 1_000, { currency });
    expect(applied).toMatchObject({ outcome: 'DEAD' });
  }
  await execute(
    own.owner,
    `ALTER TABLE investment_reports ADD CONSTRAINT refused_here CHECK (external_id <> 'poison') NOT VALID`,
  );
  await alpha.store({
    type: 'profit.distributed',
    data: { externalId: 'poison', investmentExternalId: 'a', amount: 1 },
  });
  await alpha.store({
    type: 'profit.distributed',
    data: { externalId: 'good', investmentExternalId: 'a', amount: 2 },
  });
  expect(await differences(alpha.code)).toMatchObject([{ kind: 'PROFITS_DIFFER', reportedMinor: 2_00 }]);
  await execute(own.owner, 'ALTER TABLE investment_reports DROP CONSTRAINT refused_here');
  expect(
    await rows(own.db, `SELECT 1 FROM webhook_events WHERE provider = $1 AND reconciled_at IS NULL`, [
      alpha.code,
    ]),
  ).toEqual([]);
});

test('adds up what each provider owes: principal and profits that were paid out', async () => {
  const alpha = await providerOf();
  await alpha.created('a');
  await alpha.profit('a', 25);
  await alpha.withdrawn('a', 1_025);
  await differences(alpha.code);
  const debts = () =>
    rows(
      own.db,
      'SELECT currency, owed_minor, beyond_since FROM investment_provider_debts WHERE provider_code = $1',
      [alpha.code],
    );
  expect(await debts()).toEqual([{ currency: 'USD', owedMinor: 1_025_00, beyondSince: null }]);
  await alpha.created('b', 100);
  await alpha.withdrawn('b', 100);
  const since = inTwoHours();
  for (const days of [0, 1]) await differences(alpha.code, new Date(since.getTime() + days * DAY_MS));
  expect(await debts()).toEqual([{ currency: 'USD', owedMinor: 1_125_00, beyondSince: since }]);
  await differences(alpha.code, since, 3, 2_000);
  expect(await debts()).toEqual([{ currency: 'USD', owedMinor: 1_125_00, beyondSince: null }]);
});

test('compares page by page as it does at once', async () => {
  const alpha = await providerOf();
  await manyInvestors(own.db, alpha.strategy.id, 50);
  await execute(
    own.db,
    `UPDATE participations SET started_at = started_at - interval '9 days' WHERE provider_code = $1`,
    [alpha.code],
  );
  expect(await differences(alpha.code, new Date(), 7)).toHaveLength(50);
  expect(await differences(alpha.code, new Date(), 5_000)).toHaveLength(50);
});

import { v7 } from 'uuid';
import { matureWhenDue } from '../../../../activities/investment/participation/mature-participation';
import { payOutParticipation } from '../../../../activities/investment/participation/pay-out-participation';
import { lockParticipation } from '../../../../db/investment/participation/participation.transitions';
import { policyFrom } from '../../../../db/policy/config';
import { execute, rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import { age, ago, compare, DAY_MS, HOUR_MS, inTwoHours, iso, maturedHere, providerOf } from './reconciling';

const own = ownDatabase();

test('compares what is settled where the newest report is always younger than an hour', async () => {
  const alpha = await providerOf(own.db);
  await alpha.created('a');
  await alpha.profit('a', 10, 'wrong');
  await alpha.profit('a', 12.5, 'wrong');
  await age(own.db, 2);
  await alpha.profit('a', 3, 'new');
  const difference = {
    kind: 'PROFITS_DIFFER',
    name: 'a',
    heldMinor: 10_00,
    reportedMinor: 12_50,
    currency: 'USD',
  };
  expect(await compare(own.db, alpha.code, new Date())).toEqual([difference]);
  await age(own.db, 2);
  await alpha.profit('a', 4, 'newer');
  expect(await compare(own.db, alpha.code, new Date())).toEqual([
    { ...difference, heldMinor: 13_00, reportedMinor: 15_50 },
  ]);
});

test('an open difference stays while a later word on it settles; a word that says the same again leaves all settled', async () => {
  const alpha = await providerOf(own.db);
  await alpha.created('a');
  await alpha.profit('a', 10, 'wrong');
  await alpha.profit('a', 12.5, 'wrong');
  await age(own.db, 2);
  const open = () =>
    rows<{ id: string; reportedMinor: number; lastSeenAt: Date }>(
      own.db,
      `SELECT id, reported_minor, last_seen_at FROM investment_differences
        WHERE provider_code = $1 AND resolved_at IS NULL`,
      [alpha.code],
    );
  await compare(own.db, alpha.code, new Date());
  const [found] = await open();
  await alpha.profit('a', 12.5, 'wrong');
  const repeated = new Date();
  await compare(own.db, alpha.code, repeated);
  expect(await open()).toEqual([{ ...found, lastSeenAt: repeated }]);
  await alpha.profit('a', 13, 'wrong');
  await compare(own.db, alpha.code, new Date());
  expect(await open()).toEqual([{ ...found, lastSeenAt: repeated }]);
  await age(own.db, 2);
  await compare(own.db, alpha.code, new Date());
  expect(await open()).toMatchObject([{ id: found!.id, reportedMinor: 13_00 }]);
  await alpha.profit('a', 10, 'wrong');
  await compare(own.db, alpha.code, new Date());
  await age(own.db, 2);
  // One that was booked just now keeps nothing open.
  await alpha.profit('a', 3, 'new');
  expect(await compare(own.db, alpha.code, new Date())).toEqual([]);
});

test('a report that waited is compared with the movement that was booked from it just now', async () => {
  const alpha = await providerOf(own.db);
  await alpha.created('a');
  const profit = { externalId: 'p', investmentExternalId: 'a', amount: 5 };
  const waiting = await alpha.store({ type: 'profit.distributed', data: profit });
  await age(own.db, 2);
  await alpha.apply(waiting);
  expect(await compare(own.db, alpha.code, new Date())).toEqual([]);
});

test('a final profit that came after the payout here is a part of the payout that its provider reports', async () => {
  const alpha = await maturedHere(own.db);
  await alpha.profit('inv', 50, 'final', { timestamp: iso(4) });
  await alpha.withdrawn('inv', 1_050, { timestamp: iso(3) });
  expect(await compare(own.db, alpha.code)).toEqual([]);
});

test('a profit that is later than the payout of its provider is no part of that', async () => {
  const alpha = await maturedHere(own.db);
  await alpha.withdrawn('inv', 1_000, { timestamp: iso(4) });
  await alpha.profit('inv', 50, 'later', { timestamp: iso(3) });
  expect(await compare(own.db, alpha.code)).toEqual([]);
});

test('a profit after an end that its provider has reported is no part of that end', async () => {
  const alpha = await providerOf(own.db);
  await alpha.created('a');
  await alpha.withdrawn('a', 1_000, { timestamp: iso(4) });
  await alpha.profit('a', 20, 'later', { timestamp: iso(3) });
  expect(await compare(own.db, alpha.code)).toEqual([]);
});

test('names a payout here that its provider has not confirmed within the patience, until it does', async () => {
  const alpha = await maturedHere(own.db, 2);
  expect(await compare(own.db, alpha.code)).toEqual([]);
  const later = new Date(Date.now() + 2 * DAY_MS);
  const payout = { name: 'inv', kind: 'WITHDRAWAL_DIFFERS', currency: 'USD' };
  expect(await compare(own.db, alpha.code, later)).toEqual([
    { ...payout, heldMinor: 1_000_00, reportedMinor: null },
  ]);
  await alpha.withdrawn('inv', 990);
  expect(await compare(own.db, alpha.code, later)).toEqual([
    { ...payout, heldMinor: 1_000_00, reportedMinor: 990_00 },
  ]);
});

test('a part that was paid out before counts with the payout here only when that has to be confirmed', async () => {
  const alpha = await providerOf(own.db);
  await alpha.created('a', 1_000, { maturityDate: iso(2) });
  await alpha.withdrawn('a', 100, { status: 'PARTIAL', timestamp: iso(5) });
  const [{ id }] = (await rows<{ id: string }>(
    own.db,
    `SELECT id FROM participations WHERE provider_code = $1`,
    [alpha.code],
  )) as [{ id: string }];
  await matureWhenDue(own.db, policyFrom({}), { participationId: id, userId: alpha.userId, at: iso(2) });
  // It ends after the part, which is recorded now.
  const patienceOver = new Date(Date.now() + 4 * DAY_MS);
  expect(await compare(own.db, alpha.code)).toEqual([]);
  expect(await compare(own.db, alpha.code, patienceOver)).toMatchObject([
    { kind: 'WITHDRAWAL_DIFFERS', heldMinor: 1_000_00, reportedMinor: 100_00 },
  ]);
  await alpha.withdrawn('a', 900);
  expect(await compare(own.db, alpha.code, patienceOver)).toEqual([]);
});

test('names a movement that no report explains', async () => {
  const alpha = await providerOf(own.db);
  await alpha.created('a');
  await alpha.profit('a', 5, 'p');
  expect(await compare(own.db, alpha.code)).toEqual([]);
  await execute(own.db, `DELETE FROM investment_reports WHERE provider_code = $1 AND type = 'PROFIT'`, [
    alpha.code,
  ]);
  expect(await compare(own.db, alpha.code)).toEqual([
    { kind: 'PROFITS_DIFFER', name: 'a', heldMinor: 5_00, reportedMinor: null, currency: 'USD' },
  ]);
});

test.each(['in one comparison', 'in two'])(
  'a later report with the id of an applied one about another investment moves it nowhere, %s',
  async (comparisons) => {
    const alpha = await providerOf(own.db);
    for (const name of ['a', 'b']) await alpha.created(name);
    await alpha.profit('a', 5, 'p');
    if (comparisons === 'in two') expect(await compare(own.db, alpha.code)).toEqual([]);
    expect(await alpha.profit('b', 5, 'p')).toMatchObject({ outcome: 'DEAD' });
    expect(await compare(own.db, alpha.code)).toEqual([]);
  },
);

test('a corrected investment of a report that was never applied counts', async () => {
  const alpha = await providerOf(own.db);
  await alpha.created('a');
  await alpha.profit('typo', 5, 'p');
  await compare(own.db, alpha.code);
  await alpha.profit('a', 5, 'p');
  expect(await compare(own.db, alpha.code, new Date(Date.now() + 4 * DAY_MS))).toEqual([]);
});

test('unknown investments of one provider hide those of no other, and all of them are listed in the end', async () => {
  const [many, few] = [await providerOf(own.db), await providerOf(own.db)];
  const at = inTwoHours();
  const add = (code: string, count: number, days: number) =>
    execute(
      own.db,
      `INSERT INTO investment_reports (provider_code, type, external_id, investment_external_id, amount, currency,
           webhook_event_id, reported_at, occurred_at)
         SELECT $1, 'DEPOSIT', 'i' || n, 'i' || n, 10, 'USD', gen_random_uuid(), $3, $3 FROM generate_series(1, $2) n`,
      [code, count, new Date(at.getTime() - days * DAY_MS)],
    );
  await add(many.code, 1_100, 9);
  await add(few.code, 2, 4);
  expect(await compare(own.db, few.code, at)).toHaveLength(2);
  expect(await compare(own.db, many.code, new Date(at.getTime() + HOUR_MS))).toHaveLength(1_100);
  await execute(own.db, `UPDATE investment_reports SET amount = 11 WHERE provider_code = $1`, [few.code]);
  expect(await compare(own.db, few.code, at)).toMatchObject([
    { reportedMinor: 11_00 },
    { reportedMinor: 11_00 },
  ]);
});

test.each([
  { amount: 1_000, penalty: 100, reportedMinor: 900_00 },
  { amount: 1_000, penalty: 0, reportedMinor: null },
])(
  'the penalty of a payout that was made here is ours: of $amount the provider keeps $penalty',
  async (reported) => {
    const alpha = await providerOf(own.db);
    await alpha.created('a');
    const [participation] = await rows<{ id: string }>(
      own.db,
      'SELECT id FROM participations WHERE provider_code = $1',
      [alpha.code],
    );
    await inTransaction(own.db, async (tx) => {
      const locked = (await lockParticipation(tx, participation!.id))!;
      const { userId, currency } = locked;
      const end = {
        reference: { kind: 'withdrawal' as const, subjectId: locked.id },
        ...{ penaltyMinor: 100_00, transactionId: v7() },
        ...{ to: 'WITHDRAWN' as const, occurredAt: ago(6) },
        lines: [{ account: 'wallet' as const, userId, currency, amountMinor: 900_00 }],
      };
      await payOutParticipation(tx, locked, end, ago(6));
    });
    const { amount, penalty, reportedMinor } = reported;
    expect(await alpha.withdrawn('a', amount, { penalty })).toMatchObject({ outcome: 'APPLIED' });
    expect(await compare(own.db, alpha.code)).toEqual(
      reportedMinor === null
        ? []
        : [{ kind: 'WITHDRAWAL_DIFFERS', name: 'a', heldMinor: 1_000_00, reportedMinor, currency: 'USD' }],
    );
  },
);

import { v7 } from 'uuid';
import { execute, firstRow } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { violations } from '../../../../support/checks/violations';
import { ownDatabase } from '../../../../support/servers/database';
import { reporting, standing } from '../reporting';

const own = ownDatabase();

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

const CONFIRM = 'a person has to confirm it.';
const dead = (reason: string) => ({ outcome: 'DEAD', reason });
const overTheDay = (amount: string, limit: string) =>
  dead(`With its ${amount} USD its provider would pay more in a day than ${limit} USD: ${CONFIRM}`);
const DAY_MS = 86_400_000;
const daysFromNow = (days: number): string => new Date(Date.now() + days * DAY_MS).toISOString();

/** A user who may invest any amount, with a provider that knows them. */
async function begin(variables: Record<string, string> = {}, maxMinor: number | null = 50_000_00) {
  const user = await make.user(own.db, { kycLevel: 'ENHANCED' });
  const strategy = await make.strategy(own.db, { maxMinor });
  await make.signedIn(own.db, strategy.providerCode, user.id);
  const provider = reporting(own.db, strategy.providerCode, variables);
  const created = (more: Record<string, unknown> = {}) => ({
    type: 'investment.created',
    data: {
      ...{ externalId: v7(), userId: user.id, strategyCode: strategy.strategyCode, amount: 1_000 },
      ...{ currency: 'USD', startDate: '2026-06-01', ...more },
    },
  });
  const confirm = (id: string) =>
    execute(own.db, 'UPDATE webhook_events SET confirmed_at = now() WHERE id = $1', [id]);
  const promised = async (): Promise<number> =>
    (
      await firstRow<{ minor: number }>(
        own.db,
        'SELECT credited_minor AS minor FROM provider_day_totals WHERE provider_code = $1',
        [strategy.providerCode],
      )
    )?.minor ?? 0;
  return { ...provider, user, strategy, created, confirm, promised };
}

/** An investment of 1,000 that was paid here for 90 days from now, and is known to its provider. */
async function running(variables: Record<string, string> = {}) {
  const begun = await begin(variables);
  const investmentExternalId = v7();
  const of = { userId: begun.user.id, strategyId: begun.strategy.id, status: 'ACTIVE' } as const;
  const { id } = await make.participation(own.db, { ...of, externalId: investmentExternalId });
  const report = (type: string, data: Record<string, unknown>, timestamp: string) => ({
    ...{ type, timestamp, data: { investmentExternalId, externalId: v7(), ...data } },
  });
  return {
    ...{ ...begun, id, investmentExternalId },
    send: (type: string, data: Record<string, unknown>, timestamp = new Date().toISOString()) =>
      begun.report(report(type, data, timestamp)),
    store: (type: string, data: Record<string, unknown>, timestamp = new Date().toISOString()) =>
      begun.store(report(type, data, timestamp)),
    /** Later than the one before. */
    updated: (data: Record<string, unknown>) =>
      begun.report(report('investment.updated', data, new Date().toISOString())),
  };
}

describe('a principal that only its provider knows', () => {
  test('counts for its daily limit, once: 15 of 100,000 need a person', async () => {
    const { report, created, store, apply, confirm, promised } = await begin(
      { POLICY_PROVIDER_DAILY_LIMIT: '1000' },
      null,
    );
    const past = { maturityDate: '2026-06-02' };
    for (let n = 0; n < 15; n += 1)
      expect(await report(created({ ...past, amount: 100_000 }))).toEqual(overTheDay('100000.00', '1000.00'));
    const first = created(past);
    expect(await report(first)).toMatchObject({ outcome: 'APPLIED' });
    expect(await promised()).toBe(1_000_00);
    const of = { investmentExternalId: first.data.externalId };
    const part = { ...of, externalId: v7(), amount: 200, status: 'PARTIAL' };
    expect(await report({ type: 'investment.withdrawn', data: part })).toMatchObject({ outcome: 'APPLIED' });
    const rest = { ...of, externalId: v7(), amount: 800 };
    expect(await report({ type: 'investment.withdrawn', data: rest })).toMatchObject({ outcome: 'APPLIED' });
    expect(await promised()).toBe(1_000_00);
    const id = await store(created());
    expect(await apply(id)).toEqual(overTheDay('1000.00', '1000.00'));
    await confirm(id);
    expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
    expect(await promised()).toBe(1_000_00);
  });

  test('of an investment that waits for its payment counts too', async () => {
    const { user, strategy, report, created } = await begin({ POLICY_PROVIDER_DAILY_LIMIT: '1' });
    const of = { userId: user.id, strategyId: strategy.id };
    const { id } = await make.participation(own.db, of);
    expect(await report(created({ participationId: id }))).toEqual(overTheDay('1000.00', '1.00'));
    const paid = await make.participation(own.db, { ...of, status: 'ACTIVE' });
    expect(await report(created({ participationId: paid.id }))).toMatchObject({ outcome: 'APPLIED' });
  });

  test('is at most 9,999,999,999.99, confirmed or not', async () => {
    const { store, apply, confirm, created } = await begin({}, null);
    for (const [amount, named] of [
      [9_999_999_999_999.99, '9999999999999.99'],
      [10_000_000_000, '10000000000.00'],
    ] as const) {
      const id = await store(created({ amount }));
      await confirm(id);
      expect(await apply(id)).toEqual(
        dead(`Its amount ${named} USD is more than any investment can have, 9999999999.99 USD.`),
      );
    }
    const id = await store(created({ amount: 9_999_999_999.99 }));
    await confirm(id);
    expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
  });
});

describe('a value that its provider reports', () => {
  test('is at most principal, returns and the share of one report, unless a person confirms it', async () => {
    const { send, updated, store, apply, confirm, investmentExternalId } = await running();
    await send('profit.distributed', { amount: 50 });
    const tooMuch = (value: string) =>
      dead(
        `Its value ${value} USD is more than the 2050.00 USD that the investment ${investmentExternalId} can be worth: ${CONFIRM}`,
      );
    expect(await updated({ currentValue: 2_050.01 })).toEqual(tooMuch('2050.01'));
    expect(await updated({ currentValue: 2_050 })).toMatchObject({ outcome: 'APPLIED' });
    const id = await store('investment.updated', { currentValue: 3_000 });
    expect(await apply(id)).toEqual(tooMuch('3000.00'));
    await confirm(id);
    expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
    const most = await store('investment.updated', { currentValue: 9_999_999_999_999.99 });
    await confirm(most);
    expect(await apply(most)).toEqual(
      dead('Its value 9999999999999.99 USD is more than any investment can be worth, 9999999999.99 USD.'),
    );
    expect(await standing(own.db, investmentExternalId)).toMatchObject({
      participation: { reportedValueMinor: 3_000_00 },
    });
  });

  test('the database holds neither a larger value nor a larger principal', async () => {
    const { id } = await running();
    for (const column of ['reported_value_minor', 'amount_minor'])
      await expect(
        execute(own.db, `UPDATE participations SET ${column} = 1000000000000 WHERE id = $1`, [id]),
      ).rejects.toThrow('violates check constraint');
    await expect(
      execute(own.db, `INSERT INTO participation_values VALUES ($1, now(), 1000000000000)`, [id]),
    ).rejects.toThrow('violates check constraint');
  });

  test('is kept once a day: the newest of each day stays, in any order', async () => {
    const { send, investmentExternalId } = await running();
    const at = (hour: number, currentValue: number) =>
      send('investment.updated', { currentValue }, `2026-11-0${hour < 24 ? 1 : 2}T${pad(hour % 24)}:00:00Z`);
    const pad = (n: number): string => String(n).padStart(2, '0');
    for (const [hour, value] of [
      [10, 1_010],
      [20, 1_020],
      [15, 1_015],
      [30, 1_030],
    ] as const)
      await at(hour, value);
    const { values } = await standing(own.db, investmentExternalId);
    expect(values).toEqual([
      { reportedAt: new Date('2026-11-01T20:00:00Z'), valueMinor: 1_020_00 },
      { reportedAt: new Date('2026-11-02T06:00:00Z'), valueMinor: 1_030_00 },
    ]);
  });

  test('ten values of one day at once leave the newest', async () => {
    const { store, apply, investmentExternalId } = await running();
    const ids = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        store('investment.updated', { currentValue: 1_000 + n }, `2026-11-01T1${n}:00:00Z`),
      ),
    );
    await Promise.all(ids.map(apply));
    const { values } = await standing(own.db, investmentExternalId);
    expect(values).toEqual([{ reportedAt: new Date('2026-11-01T19:00:00Z'), valueMinor: 1_009_00 }]);
  });
});

describe('a maturity that its provider moves', () => {
  const reason = `It matures more than 365 days after its term: ${CONFIRM}`;

  test('is at most a year later than the owner was told, unless a person confirms it', async () => {
    const { updated, store, apply, confirm } = await running();
    expect(await updated({ maturityDate: daysFromNow(90 + 366) })).toEqual(dead(reason));
    expect(await updated({ maturityDate: daysFromNow(90 + 364) })).toMatchObject({ outcome: 'APPLIED' });
    // Counted from the term, not from the date that is in force.
    expect(await updated({ maturityDate: daysFromNow(90 + 728) })).toEqual(dead(reason));
    const id = await store('investment.updated', { maturityDate: daysFromNow(90 + 728) });
    await confirm(id);
    expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
  });

  test('also when it takes over an investment that was paid here, or waits for its payment', async () => {
    const { user, strategy, report, created } = await begin();
    const of = { userId: user.id, strategyId: strategy.id };
    for (const status of ['ACTIVE', 'PENDING_PAYMENT'] as const) {
      const { id: participationId } = await make.participation(own.db, { ...of, status });
      const startDate = new Date().toISOString();
      const late = { participationId, startDate, maturityDate: daysFromNow(90 + 366) };
      expect(await report(created(late))).toEqual(dead(reason));
      if (status === 'PENDING_PAYMENT')
        expect(await report(created({ participationId, startDate: daysFromNow(366) }))).toEqual(dead(reason));
      expect(await report(created({ ...late, maturityDate: daysFromNow(100) }))).toMatchObject({
        outcome: 'APPLIED',
      });
    }
  });
});

describe('a maturity that its provider moves after it has moved the start', () => {
  test('is bounded from when it was taken over: nothing is added by a start in a year', async () => {
    const { user, strategy, report, created, store, apply, confirm } = await begin();
    const of = { userId: user.id, strategyId: strategy.id };
    const { id: participationId } = await make.participation(own.db, of);
    const late = { participationId, startDate: daysFromNow(449), maturityDate: daysFromNow(90 + 364) };
    const made = created(late);
    expect(await report(made)).toMatchObject({ outcome: 'APPLIED' });
    const update = (days: number) => ({
      ...{ type: 'investment.updated', timestamp: new Date().toISOString() },
      data: { investmentExternalId: made.data.externalId, maturityDate: daysFromNow(days) },
    });
    const reason = `It matures more than 365 days after its term: ${CONFIRM}`;
    for (const days of [903, 90 + 366]) expect(await report(update(days))).toEqual(dead(reason));
    expect(await report(update(90 + 363))).toMatchObject({ outcome: 'APPLIED' });
    const id = await store(update(903));
    await confirm(id);
    expect(await apply(id)).toMatchObject({ outcome: 'APPLIED' });
  });
});

describe('movements of one investment on one day', () => {
  test('have a bound, profits and parts together, also at once; another day has its own', async () => {
    const { store, apply, send, confirm, investmentExternalId } = await running({
      POLICY_PROVIDER_MOVEMENTS_A_DAY: '3',
    });
    const reason = `The investment ${investmentExternalId} has 3 movements on that day, the most that one may have: ${CONFIRM}`;
    await send('investment.withdrawn', { amount: 1, status: 'PARTIAL' });
    await send('profit.distributed', { amount: -1 });
    const ids = await Promise.all(
      Array.from({ length: 3 }, () => store('profit.distributed', { amount: 1 })),
    );
    const outcomes = await Promise.all(ids.map(apply));
    expect(outcomes.map(({ outcome }) => outcome).sort()).toEqual(['APPLIED', 'DEAD', 'DEAD']);
    expect(await send('profit.distributed', { amount: 1 })).toEqual(dead(reason));
    expect(await send('investment.withdrawn', { amount: 1, status: 'PARTIAL' })).toEqual(dead(reason));
    const refused = ids[outcomes.findIndex(({ outcome }) => outcome === 'DEAD')]!;
    await confirm(refused);
    expect(await apply(refused)).toMatchObject({ outcome: 'APPLIED' });
    expect(await send('profit.distributed', { amount: 1 }, daysFromNow(-1))).toMatchObject({
      outcome: 'APPLIED',
    });
  });

  test('before its start count as one day', async () => {
    const { send } = await running({ POLICY_PROVIDER_MOVEMENTS_A_DAY: '2' });
    const early = (day: string) => send('profit.distributed', { amount: 1 }, `${day}T12:00:00Z`);
    expect(await early('2020-01-01')).toMatchObject({ outcome: 'APPLIED' });
    expect(await early('2020-01-02')).toMatchObject({ outcome: 'APPLIED' });
    expect(await early('2020-01-03')).toMatchObject({ outcome: 'DEAD' });
  });
});

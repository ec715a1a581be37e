import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import { v7 } from 'uuid';
import { bookFromProvider } from '../../../../db/investment/participation/participation-ledger.transitions';
import {
  changeParticipation,
  lockParticipation,
} from '../../../../db/investment/participation/participation.transitions';
import { recordTransaction } from '../../../../db/investment/transaction/investment-transaction.transitions';
import { firstRow } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { signIn } from '../../../support/builders/sign-in';
import { ownCheckedWorld } from '../../../support/worlds/world';

const DAY_MS = 86_400_000;
const ago = (days: number): Date => new Date(Date.now() - days * DAY_MS);
const dateAgo = (days: number): string => ago(days).toISOString().slice(0, 10);

const world = ownCheckedWorld();

const person = async () => {
  const { id: userId } = await make.user(world.db);
  const token = await signIn(world, { id: userId });
  const get = async (path: string) => {
    const url = `/api/v1/investment/portfolio${path}`;
    const { status, body } = await world.http.get(url).auth(token, { type: 'bearer' });
    return { status, data: body.data, code: body.error?.code as string | undefined };
  };
  return { userId, get };
};

/** Sums of the transactions of a user, in minor units. */
async function recorded(userId: string) {
  const row = await firstRow<{ put: number; out: number }>(
    world.db,
    `SELECT coalesce(sum(amount_minor) FILTER (WHERE type = 'DEPOSIT'), 0)::bigint AS put,
            coalesce(sum(amount_minor) FILTER (WHERE type IN ('WITHDRAWAL', 'PENALTY')), 0)::bigint AS out
       FROM investment_transactions WHERE user_id = $1`,
    [userId],
  );
  return { putMinor: row?.put ?? 0, outMinor: row?.out ?? 0 };
}

/** A profit of a participation that has ended, which goes to the wallet at once. */
async function lateProfit(
  { id: participationId, userId, providerCode }: { id: string; userId: string; providerCode: string },
  { amountMinor, at }: { amountMinor: number; at: Date },
): Promise<void> {
  const id = v7();
  const of = { userId, providerCode, currency: 'USD' };
  await inTransaction(world.db, async (tx) => {
    const row = await lockParticipation(tx, participationId);
    const profit = { ...of, id, participationId, type: 'PROFIT' as const, amountMinor, occurredAt: at };
    await recordTransaction(tx, profit, at);
    await changeParticipation(tx, participationId, { earnedMinor: row!.earnedMinor + amountMinor }, at);
    await bookFromProvider(tx, row!, { reference: { kind: 'profit', subjectId: id }, amountMinor, at });
    const event = { participationId, transactionId: id, userId, amountMinor, currency: of.currency };
    await announce(tx, { type: 'profit.distributed', ...event }, at.toISOString());
  });
}

describe('GET /investment/portfolio', () => {
  it('of nobody is empty, and every figure a number', async () => {
    const { get } = await person();
    const { status, data } = await get('');
    expect(status).toBe(200);
    expect(data).toEqual({
      summary: {
        ...{ totalInvested: 0, currentValue: 0, totalReturns: 0, pendingReturns: 0, unrealizedGains: 0 },
        currency: 'USD',
      },
      allocation: { byRiskLevel: [], byCategory: [], byStrategy: [] },
      performance: { overallReturn: 0, annualizedReturn: 0, bestPerforming: null, worstPerforming: null },
      ...{ activeParticipations: 0, upcomingMaturities: [] },
    });
  });

  it('answers every field of what runs and what is over', async () => {
    const { userId, get } = await person();
    const category = await make.strategyCategory(world.db, { name: 'Property' });
    const strategyOf = (name: string, riskLevel: 'LOW' | 'HIGH', categoryId?: string) =>
      make.strategy(world.db, { name, riskLevel, ...(categoryId && { categoryId }) });
    const harbour = await strategyOf('Harbour', 'LOW', category.id);
    const [airport, mine] = [
      await strategyOf('Airport', 'LOW', category.id),
      await strategyOf('Mine', 'HIGH'),
    ];
    const [a, b, c] = [harbour, airport, mine].map(({ id }) => ({
      userId,
      strategyId: id,
      amountMinor: 1_000_00,
    }));
    const running = { ...a!, status: 'ACTIVE', at: ago(73), durationDays: 365 } as const;
    const first = await make.participation(world.db, {
      ...running,
      profits: [{ amountMinor: 6_00, at: ago(30) }],
    });
    await make.participation(world.db, {
      ...{ ...b!, status: 'ACTIVE', at: ago(100), durationDays: 200 },
      values: [{ amountMinor: 1_040_00, at: ago(10) }],
    });
    await make.participation(world.db, {
      ...c!,
      status: 'ACTIVE',
      at: ago(50),
      profits: [{ amountMinor: -50_00 }],
    });
    await make.participation(world.db, {
      ...c!,
      status: 'WITHDRAWN',
      at: ago(90),
      endedAt: ago(60),
      penaltyMinor: 80_00,
    });
    await make.participation(world.db, { ...c!, status: 'PENDING_PAYMENT' });

    const { data } = await get('');
    expect(data.summary).toEqual({
      ...{ totalInvested: 4_000, currentValue: 1_006 + 1_040 + 950, totalReturns: -4, unrealizedGains: 40 },
      // 16 − 6 of Harbour, 21.92 of Airport, 10.96 + 50 of Mine.
      ...{ pendingReturns: 92.88, currency: 'USD' },
    });
    expect(data.allocation).toEqual({
      byRiskLevel: [
        { level: 'LOW', amount: 2_000, percentage: 66.67 },
        { level: 'HIGH', amount: 1_000, percentage: 33.33 },
      ],
      byCategory: [
        { categoryId: category.id, categoryName: 'Property', amount: 2_000, percentage: 66.67 },
        {
          categoryId: mine.categoryId,
          categoryName: expect.any(String) as string,
          amount: 1_000,
          percentage: 33.33,
        },
      ],
      byStrategy: [
        {
          strategyId: airport.id,
          strategyName: 'Airport',
          amount: 1_000,
          percentage: 33.34,
          currentValue: 1_040,
        },
        {
          strategyId: harbour.id,
          strategyName: 'Harbour',
          amount: 1_000,
          percentage: 33.33,
          currentValue: 1_006,
        },
        { strategyId: mine.id, strategyName: 'Mine', amount: 1_000, percentage: 33.33, currentValue: 950 },
      ],
    });
    expect(data.performance).toEqual({
      ...{ overallReturn: -0.1, annualizedReturn: -0.1 },
      bestPerforming: { strategyId: airport.id, strategyName: 'Airport', return: 4 },
      worstPerforming: { strategyId: mine.id, strategyName: 'Mine', return: -2.5 },
    });
    expect(data.activeParticipations).toBe(3);
    const maturing = data.upcomingMaturities as { participationId: string; strategyName: string }[];
    expect(maturing.map(({ strategyName }) => strategyName)).toEqual(['Mine', 'Airport', 'Harbour']);
    expect(maturing[2]).toEqual({
      ...{ participationId: first.id, strategyName: 'Harbour', amount: 1_000, expectedReturn: 80 },
      maturityDate: new Date(running.at.getTime() + 365 * DAY_MS).toISOString(),
    });
    const { putMinor, outMinor } = await recorded(userId);
    const { totalReturns, currentValue } = data.summary;
    expect(putMinor + totalReturns * 100 - outMinor).toBe(currentValue * 100);
  });

  it('is annualized from 365 days on', async () => {
    const { userId, get } = await person();
    const { id: strategyId } = await make.strategy(world.db);
    const profits = [{ amountMinor: 210_00, at: ago(10) }];
    await make.participation(world.db, {
      userId,
      strategyId,
      status: 'ACTIVE',
      at: ago(730),
      durationDays: 1_000,
      profits,
    });
    const { performance } = (await get('')).data;
    expect(performance).toMatchObject({ overallReturn: 21, annualizedReturn: 10 });
  });

  it('answers the next ten maturities', async () => {
    const { userId, get } = await person();
    const { id: strategyId } = await make.strategy(world.db);
    for (let n = 0; n < 12; n += 1)
      await make.participation(world.db, { userId, strategyId, status: 'ACTIVE', durationDays: 40 - n });
    const dates = (await get('')).data.upcomingMaturities.map(
      (one: { maturityDate: string }) => one.maturityDate,
    );
    expect(dates).toHaveLength(10);
    expect(dates).toEqual([...dates].sort());
  });

  it('of an ended one counts what its provider paid out, and a profit that came later', async () => {
    const { userId, get } = await person();
    const { id: strategyId, providerCode } = await make.strategy(world.db);
    const ended = await make.participation(world.db, {
      ...{ userId, strategyId, status: 'MATURED', at: ago(100), durationDays: 50 },
      profits: [{ amountMinor: 10_00, at: ago(60) }],
    });
    await lateProfit({ id: ended.id, userId, providerCode }, { amountMinor: 700, at: ago(20) });
    expect((await get('')).data.summary).toMatchObject({
      totalInvested: 1_000,
      currentValue: 0,
      totalReturns: 17,
    });
    const all = (await get('/performance?period=ALL')).data;
    expect(all.metrics).toMatchObject({
      startValue: 0,
      endValue: 0,
      totalReturns: 17,
      percentageReturn: 1.7,
    });
  });
});

describe('GET /investment/portfolio/performance', () => {
  const course = async () => {
    const { userId, get } = await person();
    const { id: strategyId } = await make.strategy(world.db, { name: 'Harbour' });
    const of = { userId, strategyId, durationDays: 1_000 };
    await make.participation(world.db, {
      ...{ ...of, status: 'ACTIVE', amountMinor: 1_000_00, at: ago(400) },
      profits: [{ amountMinor: 100_00, at: ago(200) }],
      values: [{ amountMinor: 1_320_00, at: ago(5) }],
    });
    await make.participation(world.db, {
      ...{
        ...of,
        status: 'WITHDRAWN',
        amountMinor: 900_00,
        at: ago(20),
        endedAt: ago(3),
        penaltyMinor: 90_00,
      },
    });
    return get;
  };

  it('answers every field of the last month, by default by day', async () => {
    const get = await course();
    const { status, data } = await get('/performance');
    expect(status).toBe(200);
    expect(data).toMatchObject({
      period: 'MONTH',
      // +220 on 1,100 and 900 put in.
      metrics: { startValue: 1_100, endValue: 1_320, totalReturns: 220, percentageReturn: 11 },
    });
    expect(data.metrics.annualizedReturn).toBe(11);
    const today = dateAgo(0);
    expect(data.periodStart.slice(8, 10)).toBe(data.timeline[0].date.slice(8, 10));
    const last = data.timeline.at(-1);
    // Before the report 2,000 were at work, after it 2,220.
    expect(last).toEqual({
      date: today,
      portfolioValue: 1_320,
      invested: 1_900,
      returns: 320,
      cumulativeReturn: 11,
    });
    const on = (days: number) => data.timeline.find(({ date }: { date: string }) => date === dateAgo(days));
    expect(on(21)).toMatchObject({
      portfolioValue: 1_100,
      invested: 1_000,
      returns: 100,
      cumulativeReturn: 0,
    });
    expect(on(20)).toMatchObject({
      portfolioValue: 2_000,
      invested: 1_900,
      returns: 100,
      cumulativeReturn: 0,
    });
    expect(on(5)).toMatchObject({ portfolioValue: 2_220, returns: 320, cumulativeReturn: 11 });
    expect(on(3)).toMatchObject({
      portfolioValue: 1_320,
      invested: 1_900,
      returns: 320,
      cumulativeReturn: 11,
    });
    expect(data.byStrategy).toMatchObject([
      { strategyName: 'Harbour', startValue: 1_100, endValue: 1_320, returns: 220, percentageReturn: 11 },
    ]);
    const shown = data.transactions.map(({ type, amount }: { type: string; amount: number }) => [
      type,
      amount,
    ]);
    expect(shown).toHaveLength(3);
    expect(shown).toEqual(
      expect.arrayContaining([
        ['WITHDRAWAL', 810],
        ['WITHDRAWAL', 90],
        ['INVESTMENT', 900],
      ]),
    );
  });

  it('begins with the first transaction, and is annualized where money was there for a year', async () => {
    const get = await course();
    const { data } = await get('/performance?period=ALL&granularity=MONTH');
    expect(data.periodStart).toBe(`${dateAgo(400)}T00:00:00.000Z`);
    expect(data.metrics).toMatchObject({
      startValue: 0,
      endValue: 1_320,
      totalReturns: 320,
      percentageReturn: 16.84,
    });
    // 10 %, then 11 %.
    expect(data.timeline.at(-1).cumulativeReturn).toBe(22.1);
    expect(data.metrics.annualizedReturn).toBeGreaterThan(25);
    expect(data.metrics.annualizedReturn).toBeLessThan(32);
    const months = data.timeline.slice(0, -1).map(({ date }: { date: string }) => new Date(date));
    expect(months.every((date: Date) => new Date(date.getTime() + DAY_MS).getUTCDate() === 1)).toBe(true);
  });

  it.each(['WEEK', 'QUARTER', 'YEAR'])('of a %s ends with the value of now', async (period) => {
    const get = await course();
    const { data } = await get(`/performance?period=${period}&granularity=WEEK`);
    expect(data.metrics.endValue).toBe(1_320);
    expect(data.timeline.at(-1)).toMatchObject({ date: dateAgo(0), portfolioValue: 1_320 });
  });

  it('of nobody is empty, and every figure a number', async () => {
    const { get } = await person();
    for (const period of ['MONTH', 'ALL']) {
      const { data } = await get(`/performance?period=${period}`);
      expect(data.metrics).toEqual({
        ...{ startValue: 0, endValue: 0, totalReturns: 0, percentageReturn: 0, annualizedReturn: 0 },
      });
      expect([data.byStrategy, data.transactions]).toEqual([[], []]);
    }
  });

  it('does not count a renewal as money put in or paid out', async () => {
    const { userId, get } = await person();
    const { id: strategyId } = await make.strategy(world.db);
    const of = { userId, strategyId, durationDays: 50 };
    const profits = [{ amountMinor: 100_00, at: ago(55) }];
    const before = await make.participation(world.db, { ...of, status: 'MATURED', at: ago(100), profits });
    await make.participation(world.db, {
      ...{ ...of, status: 'ACTIVE', at: ago(50), amountMinor: 1_100_00, reinvestedFromId: before.id },
      profits: [{ amountMinor: 110_00, at: ago(5) }],
    });
    const { data } = await get('/performance?period=ALL');
    expect(data.metrics).toMatchObject({ endValue: 1_210, totalReturns: 210, percentageReturn: 21 });
    expect(data.timeline.at(-1)).toMatchObject({ invested: 1_000, returns: 210, cumulativeReturn: 21 });
  });

  it('refuses other values', async () => {
    const { get } = await person();
    for (const query of ['period=DECADE', 'granularity=HOUR'])
      expect(await get(`/performance?${query}`)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    expect((await world.http.get('/api/v1/investment/portfolio')).body.error.code).toBe('UNAUTHORIZED');
    expect((await world.http.get('/api/v1/investment/portfolio/performance')).body.error.code).toBe(
      'UNAUTHORIZED',
    );
  });
});

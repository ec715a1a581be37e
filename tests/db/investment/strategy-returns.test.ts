import { refreshReturns } from '../../../db/investment/strategy/strategy-returns.transitions';
import { execute, firstRow } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { HistoricalReturn } from '../../../workflows/investment/strategy/strategy.rules';
import { randomFrom } from '../../activities/partners/random';
import { make } from '../../support/builders/make';
import type { Movement, ParticipationOptions } from '../../support/builders/make/participation/options';
import { ownDatabase } from '../../support/servers/database';

const own = ownDatabase();
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NOW = new Date('2026-11-17T05:00:00Z');

const utc = (text: string): Date => new Date(`${text}Z`);
const refresh = (at = NOW) => inTransaction(own.db, (tx) => refreshReturns(tx, at));
async function returnsOf(strategyId: string): Promise<readonly HistoricalReturn[]> {
  const found = await firstRow<{ historicalReturns: HistoricalReturn[] }>(
    own.db,
    'SELECT historical_returns FROM investment_strategies WHERE id = $1',
    [strategyId],
  );
  return found!.historicalReturns;
}
const invested = (strategyId: string, options: ParticipationOptions) =>
  make.participation(own.db, { strategyId, status: 'ACTIVE', durationDays: 3_650, ...options });

test('a month is its profits, less losses, over the principal on average; the running month is not shown yet', async () => {
  const { id } = await make.strategy(own.db);
  await invested(id, {
    ...{ amountMinor: 1_000_00, at: utc('2026-08-01T00:00:00') },
    profits: [
      { amountMinor: 10_00, at: utc('2026-08-31T23:59:59.999') },
      { amountMinor: 30_00, at: utc('2026-09-01T00:00:00') },
      { amountMinor: -50_00, at: utc('2026-10-05T12:00:00') },
      { amountMinor: 99_00, at: utc('2026-11-01T00:00:00') },
    ],
  });
  // From the middle of September's thirty days on there is twice as much.
  await invested(id, { amountMinor: 1_000_00, at: utc('2026-09-16T00:00:00') });
  expect(await refresh()).toBe(1);
  expect(await returnsOf(id)).toEqual([
    { period: '2026-08', return: 1 },
    { period: '2026-09', return: 2 },
    { period: '2026-10', return: -2.5 },
  ]);
  expect(await refresh()).toBe(0);
  expect(await refresh(utc('2026-12-01T00:00:00'))).toBe(1);
  expect((await returnsOf(id)).at(-1)).toEqual({ period: '2026-11', return: 4.95 });
});

test('a month in which money came for some days only has the principal of those days; parts that were paid out count no more', async () => {
  const { id } = await make.strategy(own.db);
  await invested(id, {
    ...{ amountMinor: 1_000_00, at: utc('2026-09-29T00:00:00') },
    profits: [
      { amountMinor: 5_00, at: utc('2026-09-30T00:00:00') },
      { amountMinor: 5_00, at: utc('2026-10-30T00:00:00') },
    ],
    payouts: [{ amountMinor: 500_00, at: utc('2026-10-01T00:00:00') }],
  });
  await refresh();
  expect(await returnsOf(id)).toEqual([
    { period: '2026-09', return: 0.5 },
    { period: '2026-10', return: 1 },
  ]);
});

test('months without money are left out, one without a profit is 0, and what comes after the end is of the month of the end', async () => {
  const { id } = await make.strategy(own.db);
  const { id: none } = await make.strategy(own.db, {
    historicalReturns: [{ period: '2026-10', return: 3 }],
  });
  await invested(id, {
    ...{ status: 'MATURED', amountMinor: 1_000_00, at: utc('2026-03-01T00:00:00') },
    endedAt: utc('2026-05-01T00:00:00'),
    profits: [{ amountMinor: 20_00, at: utc('2026-07-10T00:00:00') }],
  });
  await invested(id, { amountMinor: 300_00, at: utc('2026-10-01T00:00:00') });
  expect(await refresh()).toBe(2);
  expect(await returnsOf(id)).toEqual([
    { period: '2026-03', return: 0 },
    { period: '2026-04', return: 2 },
    { period: '2026-10', return: 0 },
  ]);
  expect(await returnsOf(none)).toEqual([]);
});

test('the last 24 months, whatever came before; one that waits or was cancelled counts nothing', async () => {
  const { id } = await make.strategy(own.db);
  const since = utc('2020-01-15T00:00:00');
  const profits = Array.from({ length: 80 }, (_, n) => ({
    amountMinor: 1_00,
    at: new Date(since.getTime() + (n * 31 + 1) * DAY_MS),
  })).filter(({ at }) => at < NOW);
  await invested(id, { amountMinor: 100_00, at: since, profits });
  await make.participation(own.db, { strategyId: id, at: since });
  await make.participation(own.db, { strategyId: id, at: since, status: 'CANCELLED' });
  await refresh();
  const shown = await returnsOf(id);
  expect(shown).toHaveLength(24);
  expect([shown[0]!.period, shown.at(-1)!.period]).toEqual(['2024-11', '2026-10']);
  for (const month of shown) expect([0, 1, 2]).toContain(month.return);
});

test('it sets neither the time of the last change nor a counter', async () => {
  const { id } = await make.strategy(own.db);
  await invested(id, { at: utc('2026-10-01T00:00:00') });
  const rest = () =>
    firstRow(
      own.db,
      `SELECT to_jsonb(s) - 'historical_returns' AS rest FROM investment_strategies s WHERE id = $1`,
      [id],
    );
  const before = await rest();
  expect(await refresh()).toBe(1);
  expect(await rest()).toEqual(before);
});

/** A participation as the slow computation knows it. */
interface Course {
  amountMinor: number;
  from: number;
  /** Infinity while it runs. */
  to: number;
  profits: readonly Movement[];
  payouts: readonly Movement[];
}

/** The same figures, counted hour by hour. */
function hourByHour(courses: readonly Course[]): HistoricalReturn[] {
  const found: HistoricalReturn[] = [];
  for (let back = 24; back >= 1; back--) {
    const month = new Date(Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - back));
    const next = Date.UTC(NOW.getUTCFullYear(), NOW.getUTCMonth() - back + 1);
    let [sum, hours, profit] = [0n, 0n, 0n];
    for (let hour = month.getTime(); hour < next; hour += HOUR_MS) {
      let minor = 0;
      for (const { from, to, amountMinor, payouts } of courses)
        if (from <= hour && hour < to)
          minor += payouts.reduce(
            (left, paid) => (paid.at!.getTime() <= hour ? left - paid.amountMinor : left),
            amountMinor,
          );
      if (minor > 0) [sum, hours] = [sum + BigInt(minor), hours + 1n];
    }
    for (const { to, profits } of courses)
      for (const { amountMinor, at } of profits) {
        const counted = Math.min(at!.getTime(), to - 1);
        if (counted >= month.getTime() && counted < next) profit += BigInt(amountMinor);
      }
    if (hours === 0n) continue;
    const [over, under] = [(profit < 0n ? -profit : profit) * 10_000n * hours, sum];
    const hundredths = Number((2n * over + under) / (2n * under));
    found.push({
      period: month.toISOString().slice(0, 7),
      return: (profit < 0n ? -hundredths : hundredths) / 100 || 0,
    });
  }
  return found;
}

test.each([1, 2, 3])('random courses, seed %i: as an hour-by-hour computation has them', async (seed) => {
  const { between, isBelow } = randomFrom(seed);
  const hourAfter = (from: number, hours: number) => new Date(from + between(0, hours) * HOUR_MS);
  const { id } = await make.strategy(own.db);
  const courses: Course[] = [];
  for (let n = 0; n < 25; n++) {
    const from = NOW.getTime() - between(1, 900) * DAY_MS - between(0, 23) * HOUR_MS;
    const to = from + between(1, 300) * DAY_MS + between(0, 23) * HOUR_MS;
    const isOver = to < NOW.getTime();
    const amountMinor = between(20_000, 900_000);
    const hours = Math.floor(((isOver ? to : NOW.getTime()) - from) / HOUR_MS) - 1;
    const profits = Array.from({ length: between(0, 12) }, () => ({
      amountMinor: between(-90, 400) || 1,
      at: hourAfter(from, hours),
    }));
    if (isOver && isBelow(0.3)) profits.push({ amountMinor: 500, at: new Date(to + 40 * DAY_MS) });
    const payouts = isBelow(0.4) ? [{ amountMinor: between(1, 9_000), at: hourAfter(from, hours) }] : [];
    courses.push({ amountMinor, from, to: isOver ? to : Infinity, profits, payouts });
    await invested(id, {
      ...{ amountMinor, at: new Date(from), profits, payouts, status: isOver ? 'MATURED' : 'ACTIVE' },
      ...(isOver && { endedAt: new Date(to) }),
    });
  }
  await refresh();
  const shown = await returnsOf(id);
  expect(shown).toEqual(hourByHour(courses));
  expect(shown.length).toBeGreaterThan(12);
  await execute(own.db, `UPDATE investment_strategies SET historical_returns = '[]' WHERE id = $1`, [id]);
});

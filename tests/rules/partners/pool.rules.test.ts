import {
  poolPeriodAt,
  poolPeriodBefore,
  poolPeriodNamed,
} from '../../../workflows/partners/pool/pool-period.rules';
import { poolAmount, qualifiedVolume, sharesOf } from '../../../workflows/partners/pool/pool.rules';

const day = (text: string): Date => new Date(`${text}T00:00:00.000Z`);

describe('periods', () => {
  test.each([
    ['WEEKLY', '2026-W47', '2026-11-16', '2026-11-23'],
    ['WEEKLY', '2026-W01', '2025-12-29', '2026-01-05'],
    ['WEEKLY', '2026-W53', '2026-12-28', '2027-01-04'],
    ['WEEKLY', '2020-W53', '2020-12-28', '2021-01-04'],
    ['WEEKLY', '2021-W01', '2021-01-04', '2021-01-11'],
    ['WEEKLY', '2024-W01', '2024-01-01', '2024-01-08'],
    ['WEEKLY', '2024-W09', '2024-02-26', '2024-03-04'],
    ['MONTHLY', '2024-02', '2024-02-01', '2024-03-01'],
    ['MONTHLY', '2025-02', '2025-02-01', '2025-03-01'],
    ['MONTHLY', '2026-12', '2026-12-01', '2027-01-01'],
    ['MONTHLY', '2026-04', '2026-04-01', '2026-05-01'],
  ] as const)('%s %s is from %s to %s, closed and open', (kind, period, from, to) => {
    const found = poolPeriodNamed(kind, period);
    expect(found).toEqual({ kind, period, startsAt: day(from), endsAt: day(to) });
    expect(poolPeriodAt(kind, day(from))).toEqual(found);
    expect(poolPeriodAt(kind, new Date(day(to).getTime() - 1))).toEqual(found);
    expect(poolPeriodAt(kind, day(to)).startsAt).toEqual(day(to));
    expect(poolPeriodBefore(poolPeriodAt(kind, day(to)))).toEqual(found);
  });

  test.each([
    ['WEEKLY', '2025-W53'],
    ['WEEKLY', '2026-W00'],
    ['WEEKLY', '2026-W54'],
    ['WEEKLY', '2026-11'],
    ['WEEKLY', '1999-W01'],
    ['WEEKLY', '2026-W7'],
    ['MONTHLY', '2026-13'],
    ['MONTHLY', '2026-00'],
    ['MONTHLY', '2026-W47'],
    ['MONTHLY', ' 2026-01'],
    ['MONTHLY', ''],
  ] as const)('%s %s is no period', (kind, period) => {
    expect(poolPeriodNamed(kind, period)).toBeNull();
  });

  test('every day of thirty years is in one week and one month, and these are named by themselves', () => {
    for (let at = day('2000-01-03').getTime(); at < day('2030-01-01').getTime(); at += 24 * 3_600_000)
      for (const kind of ['WEEKLY', 'MONTHLY'] as const) {
        const period = poolPeriodAt(kind, new Date(at));
        expect(period.startsAt.getTime() <= at && at < period.endsAt.getTime()).toBe(true);
        expect(poolPeriodNamed(kind, period.period)).toEqual(period);
      }
  });
});

test.each([
  [[], 0n],
  [[100n], 0n],
  [[100n, 100n], 200n],
  [[300n, 100n], 200n],
  [[300n, 100n, 100n], 400n],
  [[100n, 100n, 100n], 300n],
  [[500n, -400n], 0n],
  [[500n, -400n, 200n], 400n],
  [[0n, 0n], 0n],
])('of legs %p the volume %p counts', (legs, qualified) => {
  expect(qualifiedVolume(legs)).toBe(qualified);
});

test.each([
  [10_000n, 100n, 100n],
  [49n, 100n, 0n],
  [50n, 100n, 1n],
  [149n, 100n, 1n],
  [150n, 100n, 2n],
  [25n, 200n, 1n],
  [-100_000n, 200n, 0n],
])('of a base of %p at %p basis points the pool is %p', (base, rate, pool) => {
  expect(poolAmount(base, rate)).toBe(pool);
});

test.each([
  [100n, [], []],
  [0n, [[1n, 5n]], [0n]],
  [100n, [[7n, 5n]], [100n]],
  [
    100n,
    [
      [3n, 1n],
      [1n, 1n],
      [2n, 1n],
    ],
    [33n, 34n, 33n],
  ],
  [
    101n,
    [
      [3n, 1n],
      [1n, 1n],
      [2n, 1n],
    ],
    [33n, 34n, 34n],
  ],
  [
    10n,
    [
      [1n, 1n],
      [2n, 2n],
      [3n, 6n],
    ],
    [1n, 2n, 7n],
  ],
  [
    1n,
    [
      [5n, 3n],
      [2n, 3n],
    ],
    [0n, 1n],
  ],
])('a pool of %p among %p is %p', (pool, sharers, shares) => {
  const of = sharers.map(([number = 0n, numerator = 0n]) => ({ number, numerator }));
  expect(sharesOf(pool, of)).toEqual(shares);
});

import fc from 'fast-check';
import {
  dayAfter,
  daysOf,
  MOST_POINTS,
  pointsOf,
} from '../../../../workflows/administration/analytics/period.rules';

test('periods end with today and have as many days as they say', () => {
  expect(daysOf('7d', '2026-03-03')).toEqual({ from: '2026-02-25', to: '2026-03-03' });
  expect(daysOf('30d', '2024-03-01')).toEqual({ from: '2024-02-01', to: '2024-03-01' });
  expect(daysOf('90d', '2026-03-31')).toEqual({ from: '2026-01-01', to: '2026-03-31' });
});

test.each([
  ['2026-11-25', '2025-11-26'],
  ['2024-02-29', '2023-03-01'],
  ['2025-02-28', '2024-02-29'],
  ['2024-12-31', '2024-01-01'],
])('a year up to %s begins on %s', (today, from) => {
  expect(daysOf('1y', today)).toEqual({ from, to: today });
});

test('ISO weeks over New Year begin on Monday and are cut to the range', () => {
  expect(pointsOf({ from: '2025-12-27', to: '2026-01-06' }, 'week')).toEqual([
    { from: '2025-12-27', to: '2025-12-28' },
    { from: '2025-12-29', to: '2026-01-04' },
    { from: '2026-01-05', to: '2026-01-06' },
  ]);
});

test('months end on their last day, in leap years too', () => {
  expect(pointsOf({ from: '2024-01-31', to: '2024-03-01' }, 'month')).toEqual([
    { from: '2024-01-31', to: '2024-01-31' },
    { from: '2024-02-01', to: '2024-02-29' },
    { from: '2024-03-01', to: '2024-03-01' },
  ]);
});

test('points cover every day of a range once, in order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 0, max: 390 }),
      fc.constantFrom('day' as const, 'week' as const, 'month' as const),
      (start, days, granularity) => {
        const from = dayAfter('2000-01-01', start);
        const range = { from, to: dayAfter(from, days) };
        const points = pointsOf(range, granularity)!;
        expect(points[0]!.from).toBe(from);
        expect(points.at(-1)!.to).toBe(range.to);
        for (const [i, { from: next }] of points.slice(1).entries())
          expect(next).toBe(dayAfter(points[i]!.to));
      },
    ),
  );
});

test('more points than the most are none', () => {
  const to = dayAfter('2026-01-01', MOST_POINTS - 1);
  expect(pointsOf({ from: '2026-01-01', to }, 'day')).toHaveLength(MOST_POINTS);
  expect(pointsOf({ from: '2026-01-01', to: dayAfter(to) }, 'day')).toBeNull();
  expect(pointsOf({ from: '2026-01-01', to: dayAfter(to) }, 'week')).not.toBeNull();
});

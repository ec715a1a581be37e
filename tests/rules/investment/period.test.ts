import { firstDay, MOST_POINTS, pointsOf } from '../../../workflows/investment/portfolio/period.rules';

describe('the first day of a period', () => {
  it.each([
    ['WEEK', '2026-11-23', '2026-11-16'],
    ['MONTH', '2026-11-23', '2026-10-23'],
    ['MONTH', '2026-03-31', '2026-02-28'],
    ['MONTH', '2024-03-31', '2024-02-29'],
    ['MONTH', '2026-01-15', '2025-12-15'],
    ['QUARTER', '2026-05-31', '2026-02-28'],
    ['YEAR', '2024-02-29', '2023-02-28'],
    ['ALL', '2026-11-23', '2019-04-05'],
  ] as const)('%s until %s is %s', (period, lastDay, first) => {
    expect(firstDay(period, lastDay, '2019-04-05')).toBe(first);
  });

  it('of everything without a transaction is the last day', () => {
    expect(firstDay('ALL', '2026-11-23', null)).toBe('2026-11-23');
  });
});

describe('the points of a course', () => {
  it('are days, Sundays or last days of a month, and the last day', () => {
    expect(pointsOf('DAY', '2026-11-21', '2026-11-23')).toEqual(['2026-11-21', '2026-11-22', '2026-11-23']);
    expect(pointsOf('WEEK', '2026-11-08', '2026-11-23')).toEqual([
      '2026-11-08',
      '2026-11-15',
      '2026-11-22',
      '2026-11-23',
    ]);
    expect(pointsOf('WEEK', '2026-11-16', '2026-11-22')).toEqual(['2026-11-22']);
    expect(pointsOf('MONTH', '2023-12-31', '2024-03-15')).toEqual([
      ...['2023-12-31', '2024-01-31', '2024-02-29', '2024-03-15'],
    ]);
  });

  it('are bounded', () => {
    const points = pointsOf('DAY', '1950-01-01', '2026-11-23');
    expect([points.length, points.at(-1)]).toEqual([MOST_POINTS, '2026-11-23']);
  });
});

import { historyPeriods } from '../../../workflows/partners/statement/history-period.rules';

const names = (...asked: Parameters<typeof historyPeriods>) =>
  historyPeriods(...asked).map(({ period }) => period);

test('periods are in UTC, the latest first, over months, years and leap days', () => {
  expect(names('day', new Date('2028-03-01T00:00:00.000Z'), 3)).toEqual([
    '2028-03-01',
    '2028-02-29',
    '2028-02-28',
  ]);
  expect(names('week', new Date('2027-01-10T23:59:59.999Z'), 3)).toEqual([
    '2027-W01',
    '2026-W53',
    '2026-W52',
  ]);
  expect(names('month', new Date('2027-02-28T12:00:00.000Z'), 3)).toEqual(['2027-02', '2027-01', '2026-12']);
});

test('each begins where the one before it ends', () => {
  for (const granularity of ['day', 'week', 'month'] as const) {
    const periods = historyPeriods(granularity, new Date('2026-11-27T10:00:00.000Z'), 60);
    expect(periods).toHaveLength(60);
    expect(new Set(periods.map(({ period }) => period)).size).toBe(60);
    for (const [index, { startsAt }] of periods.slice(1).entries())
      expect(startsAt.getTime()).toBeLessThan(periods[index]!.startsAt.getTime());
  }
});

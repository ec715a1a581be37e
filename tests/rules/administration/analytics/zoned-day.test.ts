import fc from 'fast-check';
import { blocksBetween } from '../../../../workflows/administration/analytics/time-block.rules';
import { dayAfter } from '../../../../workflows/administration/analytics/period.rules';
import { zonedCalendar } from '../../../../workflows/administration/analytics/zoned-day.rules';

const startOf = (zone: string, day: string) => zonedCalendar(zone).startOf(day).toISOString();

test.each([
  ['UTC', '2026-01-01', '2026-01-01T00:00:00.000Z'],
  // The days on which clocks change, and those after them.
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'],
  ['Europe/Berlin', '2026-03-30', '2026-03-29T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-25', '2026-10-24T22:00:00.000Z'],
  ['Europe/Berlin', '2026-10-26', '2026-10-25T23:00:00.000Z'],
  ['America/New_York', '2026-03-08', '2026-03-08T05:00:00.000Z'],
  ['America/New_York', '2026-03-09', '2026-03-09T04:00:00.000Z'],
  ['America/New_York', '2026-11-02', '2026-11-02T05:00:00.000Z'],
  ['Asia/Kathmandu', '2026-02-28', '2026-02-27T18:15:00.000Z'],
  // Midnight does not exist, exists twice, and the whole day does not exist.
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00.000Z'],
  ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
])('in %s, %s begins at %s', (zone, day, instant) => {
  expect(startOf(zone, day)).toBe(instant);
});

test('an unknown zone is refused', () => {
  expect(() => zonedCalendar('Europe/Atlantis')).toThrow(RangeError);
});

const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'));
const day = fc.integer({ min: 0, max: 13_000 }).map((n) => dayAfter('2000-01-01', n));

test('in every zone a day begins on a quarter of an hour, after the day before, and its first instant is of it', () => {
  fc.assert(
    fc.property(zone, day, (name, one) => {
      const calendar = zonedCalendar(name);
      const [start, next] = [calendar.startOf(one), calendar.startOf(dayAfter(one))];
      expect(start.getTime() % 900_000).toBe(0);
      expect(next.getTime()).toBeGreaterThanOrEqual(start.getTime());
      if (next > start) expect(calendar.dayOf(start)).toBe(one);
      expect(calendar.dayOf(next) >= dayAfter(one)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test.each([false, true])(
  'spans fill an interval without gaps and overlaps, and are few; whole ones of UTC: %s',
  (inUtc) => {
    const quarter = fc.integer({ min: 0, max: 200_000 });
    fc.assert(
      fc.property(quarter, fc.integer({ min: 0, max: 40_000 }), (start, length) => {
        const [from, to] = [start * 900_000, (start + length) * 900_000];
        const blocks = blocksBetween(new Date(from), new Date(to), { inUtc });
        let at = from;
        for (const { spanMinutes, startsAt } of blocks) {
          expect(startsAt.getTime()).toBe(at);
          if (inUtc) expect(at % (spanMinutes * 60_000)).toBe(0);
          at += spanMinutes * 60_000;
        }
        expect(at).toBe(to);
        // At the ends of a range, quarters up to a day and days up to thirty.
        const most = inUtc ? 2 * (95 + 29) + length / 2_880 : 95 + length / 96;
        expect(blocks.length).toBeLessThanOrEqual(most);
      }),
    );
    expect(() => blocksBetween(new Date(1), new Date(900_000))).toThrow(RangeError);
  },
);

import fc from 'fast-check';
import {
  utcDay,
  comparableDays,
  dayOf,
  lastDays,
  whyNotComparable,
} from '../../../../workflows/commerce/reconciliation/reconciliation.rules';

const HOUR_MS = 3_600_000;
const moments = fc.date({
  min: new Date('2001-01-01T00:00:00Z'),
  max: new Date('2900-01-01T00:00:00Z'),
  noInvalidDate: true,
});

test('every moment lies in the day of its name, which is 24 hours long, and in no other', () => {
  fc.assert(
    fc.property(moments, (at) => {
      const day = utcDay(dayOf(at))!;
      expect(day.startsAt <= at && at < day.endsAt).toBe(true);
      expect(day.endsAt.getTime() - day.startsAt.getTime()).toBe(24 * HOUR_MS);
      expect(dayOf(day.startsAt)).toBe(dayOf(at));
      expect(dayOf(at, 1)).toBe(dayOf(new Date(day.startsAt.getTime() - 1)));
    }),
  );
});

test('the last days can be compared, the day after them cannot yet', () => {
  fc.assert(
    fc.property(moments, fc.integer({ min: 1, max: 28 }), (at, count) => {
      const days = lastDays(at, count);
      expect(new Set(days).size).toBe(count);
      for (const day of days) expect(whyNotComparable(day, 28 + 1, at)).toBeNull();
      const next = dayOf(new Date(utcDay(days[0]!)!.endsAt));
      expect(whyNotComparable(next, 28, at)).toBe('must have ended an hour ago (UTC)');
    }),
  );
});

test.each([
  ['2026-03-04', '2026-03-05T00:59:59.999Z', 'must have ended an hour ago (UTC)'],
  ['2026-03-04', '2026-03-05T01:00:00.000Z', null],
  ['2026-03-04', '2026-04-01T23:00:00.000Z', null],
  ['2026-03-04', '2026-04-02T00:00:00.000Z', 'must lie within the last 28 days'],
])('%s at %s: %s', (day, at, why) => {
  expect(whyNotComparable(day, 28, new Date(at))).toBe(why);
});

test.each(['', '2026-3-4', '2026-02-29', '2026-13-01', 'today', '2026-03-04T00:00:00Z', '02026-03-04'])(
  'there is no day %j',
  (day) => {
    expect(utcDay(day)).toBeNull();
    expect(whyNotComparable(day, 28, new Date())).toBe('must be a day, such as 2026-11-23');
  },
);

test('of the sandbox no day is compared of which it may have deleted something', () => {
  expect(comparableDays('sandbox', { reconciliationDays: 28, sandboxDays: 30 })).toBe(28);
  expect(comparableDays('sandbox', { reconciliationDays: 28, sandboxDays: 7 })).toBe(6);
  expect(comparableDays('stripe', { reconciliationDays: 28, sandboxDays: 7 })).toBe(28);
});

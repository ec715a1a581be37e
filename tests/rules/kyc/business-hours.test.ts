import fc from 'fast-check';
import { addBusinessHours } from '../../../workflows/kyc/review/business-hours.rules';

const day = { startHour: 9, endHour: 17 };

// 20 November 2026 is a Friday.
test.each([
  ['within a day', '2026-11-20T10:00:00Z', 2, '2026-11-20T12:00:00Z'],
  ['on Friday 16:30, over the weekend', '2026-11-20T16:30:00Z', 1, '2026-11-23T09:30:00Z'],
  ['exactly to the end of a day', '2026-11-20T16:30:00Z', 0.5, '2026-11-20T17:00:00Z'],
  ['from exactly the end of a day', '2026-11-20T17:00:00Z', 1, '2026-11-23T10:00:00Z'],
  ['from before the start of a day', '2026-11-20T03:00:00Z', 8, '2026-11-20T17:00:00Z'],
  ['from a Saturday', '2026-11-21T12:00:00Z', 3, '2026-11-23T12:00:00Z'],
  ['from a Sunday, a whole day', '2026-11-22T23:59:00Z', 8, '2026-11-23T17:00:00Z'],
  ['48 hours from Monday 9:00', '2026-11-23T09:00:00Z', 48, '2026-11-30T17:00:00Z'],
  ['48 hours from Wednesday noon', '2026-11-25T12:00:00Z', 48, '2026-12-03T12:00:00Z'],
  ['no hours, at night', '2026-11-21T03:00:00Z', 0, '2026-11-21T03:00:00Z'],
])('%s', (_, from, hours, to) => {
  expect(addBusinessHours(new Date(from), hours, day)).toEqual(new Date(to));
});

test('the day is that of the policy', () => {
  const night = { startHour: 22, endHour: 24 };
  const from = new Date('2026-11-20T23:00:00Z');
  expect(addBusinessHours(from, 1, night)).toEqual(new Date('2026-11-21T00:00:00Z'));
  expect(addBusinessHours(from, 3, night)).toEqual(new Date('2026-11-24T00:00:00Z'));
});

const moments = fc.date({
  min: new Date('2026-01-01T00:00:00Z'),
  max: new Date('2028-12-31T00:00:00Z'),
  noInvalidDate: true,
});
/** Hours whose milliseconds are exact. */
const spans = fc.integer({ min: 0, max: 400 }).map((quarters) => quarters / 4);

test('hours in two parts are the hours at once', () => {
  fc.assert(
    fc.property(moments, spans, spans, (from, first, second) => {
      const inParts = addBusinessHours(addBusinessHours(from, first, day), second, day);
      expect(inParts).toEqual(addBusinessHours(from, first + second, day));
    }),
  );
});

test('it never goes back, and what begins later is never due earlier', () => {
  fc.assert(
    fc.property(moments, moments, spans, (one, other, hours) => {
      const [early, late] = one <= other ? [one, other] : [other, one];
      const due = addBusinessHours(early, hours, day).getTime();
      expect(due).toBeGreaterThanOrEqual(early.getTime());
      expect(addBusinessHours(late, hours, day).getTime()).toBeGreaterThanOrEqual(due);
    }),
  );
});

import { outcomeOf, pushEndsBy, slotOf } from '../../../workflows/investment/kyc-sync/kyc-sync.rules';

test.each([
  ['2026-11-23T06:00:00.000Z', '2026-11-23T06'],
  ['2026-11-23T11:59:59.999Z', '2026-11-23T06'],
  ['2026-11-23T12:00:00.001Z', '2026-11-23T12'],
  ['2026-12-31T23:30:00.000Z', '2026-12-31T18'],
  ['2028-02-29T00:00:00.000Z', '2028-02-29T00'],
])('%s belongs to the slot %s', (at, slot) => expect(slotOf(new Date(at))).toBe(slot));

test('a push ends half an hour before the next one may begin', () => {
  expect(pushEndsBy('2026-11-23T06:00:01.000Z')).toBe('2026-11-23T11:30:01.000Z');
});

test.each([
  ...[200, 201, 202, 204, 299].map((status) => [status, 'ACCEPTED'] as const),
  ...[300, 301, 302, 307, 308, 401, 403, 404, 499].map((status) => [status, 'REFUSED'] as const),
  ...[400, 409, 413, 422].map((status) => [status, 'CONTENT_REFUSED'] as const),
  ...[0, 100, 199, 408, 429, 500, 502, 503, 504, 599].map((status) => [status, 'UNKNOWN'] as const),
])('%i is %s', (status, outcome) => expect(outcomeOf(status)).toBe(outcome));

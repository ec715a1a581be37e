import fc from 'fast-check';
import { payUntil, type PaymentMethod } from '../../../workflows/commerce/payment.rules';

const placedAt = '2026-03-01T12:00:00.000Z';
const plus = (minutes: number): string => new Date(Date.parse(placedAt) + minutes * 60_000).toISOString();
const HOUR = 60;

test.each<[PaymentMethod, number]>([
  ['CARD', 30],
  ['EWALLET', 30],
  ['BALANCE', 30],
  ['BANK_TRANSFER', 72 * HOUR],
])('goods are held for a payment by %s for %i minutes', (method, minutes) => {
  expect(payUntil(method, placedAt, placedAt)).toBe(plus(minutes));
});

test('another attempt has its own window', () => {
  expect(payUntil('CARD', placedAt, plus(25))).toBe(plus(55));
});

test('all attempts together hold goods no longer than 72 hours', () => {
  expect(payUntil('BANK_TRANSFER', placedAt, plus(1))).toBe(plus(72 * HOUR));
  expect(payUntil('CARD', placedAt, plus(72 * HOUR - 10))).toBe(plus(72 * HOUR));
});

test('a window never ends before its method asks for it, unless the order has been held long enough', () => {
  const method = fc.constantFrom<PaymentMethod>('CARD', 'EWALLET', 'BALANCE', 'BANK_TRANSFER');
  fc.assert(
    fc.property(method, fc.nat(80 * HOUR), (by, minutes) => {
      const until = payUntil(by, placedAt, plus(minutes));
      const first = payUntil(by, placedAt, placedAt);
      expect(until <= plus(72 * HOUR)).toBe(true);
      expect(until >= first).toBe(true);
    }),
  );
});

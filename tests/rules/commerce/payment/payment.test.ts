import fc from 'fast-check';
import { policyFrom } from '../../../../db/policy/config';
import { laterOf, payUntil, type PaymentMethod } from '../../../../workflows/commerce/payment/payment.rules';

const policy = policyFrom({});
const placedAt = '2026-03-01T12:00:00.000Z';
const plus = (minutes: number): string => new Date(Date.parse(placedAt) + minutes * 60_000).toISOString();
const HOUR = 60;
const until = (method: PaymentMethod, at: string, windows = policy): string =>
  payUntil(windows, { method, placedAt, at });

test.each<[PaymentMethod, number]>([
  ['CARD', 30],
  ['EWALLET', 30],
  ['BALANCE', 30],
  ['BANK_TRANSFER', 72 * HOUR],
])('goods are held for a payment by %s for %i minutes', (method, minutes) => {
  expect(until(method, placedAt)).toBe(plus(minutes));
});

test('another attempt has its own window', () => {
  expect(until('CARD', plus(25))).toBe(plus(55));
});

test('all attempts together hold goods no longer than 72 hours', () => {
  expect(until('BANK_TRANSFER', plus(1))).toBe(plus(72 * HOUR));
  expect(until('CARD', plus(72 * HOUR - 10))).toBe(plus(72 * HOUR));
});

test('the windows are those of the policy', () => {
  const windows = policyFrom({
    POLICY_CARD_WINDOW_MINUTES: '45',
    POLICY_TRANSFER_WINDOW_HOURS: '24',
    POLICY_LONGEST_PAYMENT_HOURS: '30',
  });
  expect(until('CARD', placedAt, windows)).toBe(plus(45));
  expect(until('BANK_TRANSFER', placedAt, windows)).toBe(plus(24 * HOUR));
  expect(until('BANK_TRANSFER', plus(12 * HOUR), windows)).toBe(plus(30 * HOUR));
});

test('a window never ends before its method asks for it, unless the order has been held long enough', () => {
  const methods = fc.constantFrom<PaymentMethod>('CARD', 'EWALLET', 'BALANCE', 'BANK_TRANSFER');
  fc.assert(
    fc.property(methods, fc.nat(80 * HOUR), (method, minutes) => {
      expect(until(method, plus(minutes)) <= plus(72 * HOUR)).toBe(true);
      expect(until(method, plus(minutes)) >= until(method, placedAt)).toBe(true);
    }),
  );
});

test('the later of two moments', () => {
  expect(laterOf(plus(1), plus(2))).toBe(plus(2));
  expect(laterOf(plus(2), plus(1))).toBe(plus(2));
});

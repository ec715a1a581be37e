import fc from 'fast-check';
import { pageClosesAt, sessionFor } from '../../../../../activities/providers/payments/stripe/session';

describe('a session', () => {
  const opened = Date.parse('2026-03-01T12:00:00.000Z');
  const after = (minutes: number): string => new Date(opened + minutes * 60_000).toISOString();
  const closes = (windowMinutes: number): number =>
    (pageClosesAt({ openedAt: after(0), expiresAt: after(windowMinutes) }) - opened / 1_000) / 60;

  describe('a page closes', () => {
    test.each([
      ['a little after the usual window, so that half an hour is left when Stripe is asked', 30, 35],
      ['no sooner than Stripe allows, when less of the order’s time is left', 2, 35],
      ['when its window does, of an hour', 60, 65],
      ['after a day at the latest', 72 * 60, 24 * 60],
    ])('%s', (_, windowMinutes, pageMinutes) => {
      expect(closes(windowMinutes)).toBe(pageMinutes);
    });

    test('always within what Stripe allows, opened any time in the first five minutes', () => {
      fc.assert(
        fc.property(fc.integer({ min: -10, max: 5_000 }), fc.integer({ min: 0, max: 5 }), (window, asked) => {
          const left = closes(window) - asked;
          expect(left).toBeGreaterThanOrEqual(30);
          expect(left).toBeLessThanOrEqual(24 * 60);
        }),
      );
    });
  });

  const payment = {
    key: '019a0000-0000-7000-8000-000000000001',
    method: 'EWALLET' as const,
    amountMinor: 4_999,
    currency: 'USD',
    openedAt: after(0),
    expiresAt: after(30),
    description: 'M-1001',
  };
  const settings = {
    secretKey: 'sk_test_1',
    successUrl: 'https://shop.test/paid',
    cancelUrl: 'https://shop.test/back',
  };

  test('Stripe is asked for exactly the money, by our key, with the addresses that browsers go on to', () => {
    expect(sessionFor(payment, settings)).toMatchObject({
      client_reference_id: payment.key,
      metadata: { attempt_id: payment.key },
      payment_intent_data: { metadata: { attempt_id: payment.key } },
      line_items: [
        {
          quantity: 1,
          price_data: { currency: 'usd', unit_amount: 4_999, product_data: { name: 'M-1001' } },
        },
      ],
      adaptive_pricing: { enabled: false },
      success_url: 'https://shop.test/paid',
      cancel_url: 'https://shop.test/back',
    });
  });

  test('the same attempt is requested with the same values, however late', () => {
    expect(sessionFor(payment, settings)).toEqual(sessionFor({ ...payment }, settings));
  });

  test.each(['ISK', 'UGX', 'MGA'])('%s, which Stripe counts in other units, is refused', (currency) => {
    expect(() => sessionFor({ ...payment, currency }, settings)).toThrow('not taken through Stripe');
  });
});

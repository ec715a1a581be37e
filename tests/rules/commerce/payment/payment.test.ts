import fc from 'fast-check';
import { policyFrom } from '../../../../db/policy/config';
import {
  chargebackStatus,
  isKnownReport,
  refundReportStatus,
  paymentOutcome,
  paymentReportType,
} from '../../../../workflows/commerce/payment/payment-report.rules';
import { laterOf, type PaymentMethod, payUntil } from '../../../../workflows/commerce/payment/payment.rules';
import { stripeEventMeaning } from '../../../../activities/providers/payments/stripe/message';
import { sandboxLinkText } from '../../../../workflows/commerce/sandbox/sandbox-link.rules';
import {
  LOOK_UP_TIMES,
  PROVIDER_CALL_MS,
  PROVIDER_STEP_MS,
} from '../../../../workflows/kit/limits/provider-times';

describe('states', () => {
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
});

describe('reports', () => {
  test.each([
    ['payment.paid', 'PAID'],
    ['payment.declined', 'DECLINED'],
    ['payment.expired', 'EXPIRED'],
  ] as const)('%s says that the payment is %s', (type, outcome) => {
    expect([paymentOutcome(type), paymentReportType(outcome)]).toEqual([outcome, type]);
    expect([isKnownReport(type), chargebackStatus(type)]).toEqual([true, null]);
  });

  test.each([
    ['payment.charged_back', 'TAKEN'],
    ['payment.chargeback_lost', 'LOST'],
    ['payment.chargeback_returned', 'RETURNED'],
  ] as const)('%s says that a bank has it %s', (type, status) => {
    expect([chargebackStatus(type), paymentOutcome(type), isKnownReport(type)]).toEqual([status, null, true]);
  });

  test.each([
    ['refund.pending', 'PENDING'],
    ['refund.completed', 'COMPLETED'],
    ['refund.failed', 'FAILED'],
  ] as const)('%s says that a refund is %s', (type, status) => {
    expect([refundReportStatus(type), chargebackStatus(type), isKnownReport(type)]).toEqual([
      status,
      null,
      true,
    ]);
  });

  test.each(['', 'payment', 'PAYMENT.PAID', 'toString', '__proto__', 'constructor'])(
    'nothing is made of the type %p',
    (type) => {
      expect([
        paymentOutcome(type),
        chargebackStatus(type),
        refundReportStatus(type),
        isKnownReport(type),
      ]).toEqual([null, null, null, false]);
      expect(stripeEventMeaning(type)).toBeNull();
    },
  );

  test.each([
    ['checkout.session.completed', 'session', 'COMPLETED'],
    ['checkout.session.async_payment_succeeded', 'session', 'PAID'],
    ['checkout.session.async_payment_failed', 'session', 'DECLINED'],
    ['checkout.session.expired', 'session', 'EXPIRED'],
    ['payment_intent.payment_failed', 'payment', 'DECLINED'],
    ['charge.dispute.funds_withdrawn', 'dispute', 'TAKEN'],
    ['charge.dispute.closed', 'dispute', 'LOST'],
    ['charge.dispute.funds_reinstated', 'dispute', 'RETURNED'],
    ['refund.created', 'refund', 'CHANGED'],
    ['refund.updated', 'refund', 'CHANGED'],
    ['refund.failed', 'refund', 'CHANGED'],
  ])("Stripe's %s is about a %s and says %s", (type, about, says) => {
    expect(stripeEventMeaning(type)).toEqual({ about, says });
  });

  test('every part of a sandbox link is in the text that is signed', () => {
    const link = {
      key: 'k',
      amountMinor: 1999,
      currency: 'USD',
      method: 'CARD',
      description: 'Order 1',
      expiresAt: '2026-01-01T00:00:00.000Z',
    };
    const text = sandboxLinkText(link);
    expect(JSON.parse(text)).toEqual(['sandbox payment link', ...Object.values(link)]);
    for (const part of Object.keys(link)) expect(sandboxLinkText({ ...link, [part]: 'x' })).not.toBe(text);
  });
});

describe('times of providers', () => {
  /** A local step's own limit: one short transaction. */
  const TRANSACTION_MS = 10_000;

  test('a step has time to ask what became of its last try, to act, and to write it down', () => {
    expect(PROVIDER_STEP_MS).toBeGreaterThanOrEqual(2 * PROVIDER_CALL_MS + TRANSACTION_MS);
  });

  describe('a look-up', () => {
    const { atOnce, callMs, closingMs, askingMs, tryMs, allTriesMs } = LOOK_UP_TIMES;
    const groups = Math.ceil(policyFrom({}).paymentAttempts / atOnce);

    test('can close and ask about all attempts that the policy allows, however slow each answer', () => {
      expect(closingMs).toBeGreaterThanOrEqual(groups * callMs);
      expect(askingMs - closingMs).toBeGreaterThanOrEqual(groups * callMs);
    });

    test('stops asking in time to apply the answers', () => {
      expect(tryMs).toBeGreaterThanOrEqual(askingMs + TRANSACTION_MS);
    });

    test('can be tried twice in full while stock is held', () => {
      expect(allTriesMs).toBeGreaterThanOrEqual(2 * tryMs);
    });
  });
});

import {
  chargebackStatus,
  isKnownReport,
  paymentOutcome,
  paymentReportType,
} from '../../../../workflows/commerce/payment/payment-report.rules';
import { sandboxLinkText } from '../../../../workflows/commerce/sandbox/sandbox-link.rules';
import { stripeEventMeaning } from '../../../../workflows/commerce/payment/stripe-event.rules';

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

test.each(['', 'payment', 'PAYMENT.PAID', 'toString', '__proto__', 'constructor'])(
  'nothing is made of the type %p',
  (type) => {
    expect([paymentOutcome(type), chargebackStatus(type), isKnownReport(type)]).toEqual([null, null, false]);
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
  ['charge.dispute.closed', 'dispute', 'CLOSED'],
  ['charge.dispute.funds_reinstated', 'dispute', 'RETURNED'],
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

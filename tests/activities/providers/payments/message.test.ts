import { v7 } from 'uuid';
import { readMessage } from '../../../../activities/providers/payments/message';
import { disputeObject, sessionObject, stripeEvent } from '../../../support/fakes/stripe-events';

const key = v7();
const read = (type: string, object: object) =>
  readMessage('stripe', JSON.stringify(stripeEvent(type, object)));

describe('Stripe’s events', () => {
  const session = sessionObject(key);
  const payment = { paymentId: session.payment_intent, amountMinor: 5_000, currency: 'USD' };

  test.each([
    ['checkout.session.completed', 'PAID'],
    ['checkout.session.async_payment_succeeded', 'PAID'],
    ['checkout.session.async_payment_failed', 'DECLINED'],
    ['checkout.session.expired', 'EXPIRED'],
  ])('%s is %s', (type, status) => {
    expect(read(type, session)).toEqual({ about: 'payment', key, report: { ...payment, status } });
  });

  test('a session that is completed and not paid is reported later', () => {
    const waits = sessionObject(key, { payment_status: 'unpaid' });
    expect(read('checkout.session.completed', waits)).toEqual({ about: 'delay', key });
  });

  test('a session that brought no money is known by itself', () => {
    const expired = sessionObject(key, { payment_intent: null, status: 'expired', payment_status: 'unpaid' });
    expect(read('checkout.session.expired', expired)).toMatchObject({
      report: { paymentId: expired.id, status: 'EXPIRED' },
    });
  });

  test('a payment that failed is DECLINED, also when it is put in whole', () => {
    const failed = { id: 'pi_1', amount: 5_000, currency: 'usd', metadata: { attempt_id: key } };
    const report = { paymentId: 'pi_1', status: 'DECLINED', amountMinor: 5_000, currency: 'USD' };
    expect(read('payment_intent.payment_failed', failed)).toEqual({ about: 'payment', key, report });
    const whole = sessionObject(key, { payment_intent: { id: 'pi_1', object: 'payment_intent' } });
    expect(read('checkout.session.completed', whole)).toMatchObject({ report: { paymentId: 'pi_1' } });
  });

  test.each([
    ['charge.dispute.funds_withdrawn', 'TAKEN', 'needs_response'],
    ['charge.dispute.closed', 'LOST', 'lost'],
    ['charge.dispute.funds_reinstated', 'RETURNED', 'won'],
  ])('%s: the money is %s', (type, status, disputeStatus) => {
    const dispute = disputeObject('pi_1', { status: disputeStatus });
    expect(read(type, dispute)).toEqual({
      about: 'chargeback',
      chargeback: {
        chargebackId: dispute.id,
        paymentId: 'pi_1',
        status,
        amountMinor: 5_000,
        currency: 'USD',
      },
    });
  });

  test.each<[string, object]>([
    ['customer.created', sessionObject(key)],
    ['__proto__', sessionObject(key)],
    ['checkout.session.completed', sessionObject('no uuid')],
    ['checkout.session.completed', sessionObject(key, { payment_intent: null })],
    ['checkout.session.completed', sessionObject(key, { amount_total: null })],
    ['checkout.session.completed', sessionObject(key, { amount_total: 0.5 })],
    ['checkout.session.completed', sessionObject(key, { currency: 'dollars' })],
    ['checkout.session.completed', sessionObject(key, { payment_intent: 'with a space' })],
    ['payment_intent.payment_failed', { id: 'pi_1', amount: 1, currency: 'usd', metadata: {} }],
    ['charge.dispute.funds_withdrawn', disputeObject('pi_1', { payment_intent: null })],
    ['charge.dispute.closed', disputeObject('pi_1', { status: 'won' })],
    ['charge.dispute.closed', disputeObject('pi_1', { status: null })],
  ])('%s that is not of their form is nothing', (type, object) => {
    expect(read(type, object)).toBeNull();
  });
});

describe('our own form', () => {
  const data = { key, paymentId: 'p-1', amountMinor: 100, currency: 'USD' };
  const ours = (type: string, more: object = {}) =>
    readMessage('sandbox', JSON.stringify({ type, data: { ...data, ...more } }));

  test.each([
    ['payment.paid', 'PAID'],
    ['payment.declined', 'DECLINED'],
    ['payment.expired', 'EXPIRED'],
  ])('%s is %s', (type, status) => {
    expect(ours(type)).toEqual({
      about: 'payment',
      key,
      report: { paymentId: 'p-1', amountMinor: 100, currency: 'USD', status },
    });
  });

  test.each([
    ['payment.charged_back', 'TAKEN'],
    ['payment.chargeback_returned', 'RETURNED'],
  ])('%s: the money is %s', (type, status) => {
    expect(ours(type, { chargebackId: 'c-1' })).toMatchObject({
      about: 'chargeback',
      chargeback: { chargebackId: 'c-1', paymentId: 'p-1', status, amountMinor: 100 },
    });
    expect(ours(type)).toBeNull();
  });

  test('is not taken from Stripe, nor Stripe’s from others', () => {
    expect(readMessage('stripe', JSON.stringify({ type: 'payment.paid', data }))).toBeNull();
    const event = stripeEvent('checkout.session.completed', sessionObject(key));
    expect(readMessage('sandbox', JSON.stringify(event))).toBeNull();
    expect(readMessage('sandbox', 'no JSON')).toBeNull();
  });
});

import { factsOfReport, subjectOfReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import {
  factsOfStripeEvent,
  subjectOfStripeEvent,
} from '../../../../activities/providers/payments/stripe/webhook';
import { idAt } from '../../../../workflows/commerce/webhook/report-subject.rules';
import {
  factsOfEvent,
  subjectOfEvent,
} from '../../../../workflows/investment/provider-event/provider-event.rules';

describe('the subject of a report', () => {
  test.each<[string, object, string | null]>([
    ['payment.paid', { key: 'attempt', paymentId: 'pay-1' }, 'attempt'],
    ['payment.paid', { paymentId: 'pay-1' }, 'pay-1'],
    ['payment.charged_back', { key: 'other', paymentId: 'pay-1', chargebackId: 'cb-1' }, 'pay-1'],
    ['refund.completed', { key: 'refund', paymentId: 'pay-1', refundId: 're-1' }, 'pay-1'],
    ['payment.paid', {}, null],
  ])('%s of %o is %s', (type, data, subject) => {
    expect(subjectOfReport(type, { type, data })).toBe(subject);
  });

  test.each<[object, string | null]>([
    [{ id: 'cs_1', payment_intent: 'pi_1', metadata: { attempt_id: 'attempt' } }, 'attempt'],
    [{ id: 'dp_1', payment_intent: 'pi_1', metadata: {} }, 'pi_1'],
    [{ id: 're_1', payment_intent: { id: 'pi_1' } }, 'pi_1'],
    [{ id: 'ch_1', payment_intent: null }, 'ch_1'],
    [{}, null],
  ])('of Stripe, %o, is %s', (object, subject) => {
    expect(subjectOfStripeEvent({ data: { object } })).toBe(subject);
  });

  test.each([
    ['investment.created', 'inv-1'],
    ['profit.distributed', 'inv-2'],
    ['investment.withdrawn', 'inv-2'],
    ['kyc.synced', 'user-1'],
  ])('of an investment, %s, is %s', (type, subject) => {
    const data = { externalId: 'inv-1', investmentExternalId: 'inv-2', userId: 'user-1' };
    expect(subjectOfEvent(type, { type, data })).toBe(subject);
  });

  test.each([
    ['a name', 'Ada Lovelace'],
    ['an address', 'ada@example.com'],
    ['too long', 'x'.repeat(256)],
    ['a number', 7],
    ['none', null],
  ])('is no text that is %s', (_, id) => {
    expect(idAt({ data: { id } }, ['data', 'id'])).toBeNull();
    expect(idAt(id, ['data', 'id'])).toBeNull();
  });
});

describe('the money that a report says has moved', () => {
  test.each<[string, object, string | null]>([
    ['payment.paid', { key: 'attempt', paymentId: 'pay-1' }, 'pay-1'],
    ['payment.charged_back', { paymentId: 'pay-1', chargebackId: 'cb-1' }, 'cb-1'],
    ['refund.completed', { paymentId: 'pay-1', refundId: 're-1' }, 're-1'],
    ['payment.paid', { paymentId: 'a\u0000' }, null],
    ['payment.paid', {}, null],
  ])('%s of %o is %s', (type, data, movement) => {
    expect(factsOfReport(type, { data })).toMatchObject({ movement, amountMinor: null });
  });

  test.each<[string, object, string | null]>([
    ['checkout.session.completed', { payment_status: 'paid', payment_intent: 'pi_1' }, 'pi_1'],
    ['checkout.session.completed', { payment_status: 'paid', payment_intent: { id: 'pi_1' } }, 'pi_1'],
    ['checkout.session.completed', { payment_status: 'unpaid', payment_intent: 'pi_1' }, null],
    ['charge.dispute.closed', { id: 'dp_1', payment_intent: 'pi_1' }, 'dp_1'],
    ['payment_intent.payment_failed', { id: 'pi_1' }, null],
    ['an unknown type', { id: 'x' }, null],
  ])('of Stripe, %s of %o, is %s', (type, object, movement) => {
    expect(factsOfStripeEvent(type, { data: { object } })).toMatchObject({ movement, amountMinor: null });
  });

  test.each([
    ['payment.paid', 'PAID'],
    ['payment.declined', null],
    ['payment.charged_back', 'TAKEN'],
    ['payment.chargeback_lost', 'LOST'],
    ['payment.chargeback_returned', 'RETURNED'],
    ['refund.completed', null],
    ['an unknown type', null],
  ])('%s has the outcome %s', (type, outcome) => {
    expect(factsOfReport(type, { data: { paymentId: 'pay-1' } }).outcome).toBe(outcome);
  });

  test.each<[string, object, string | null]>([
    ['checkout.session.completed', { payment_status: 'paid' }, 'PAID'],
    ['checkout.session.completed', { payment_status: 'unpaid' }, null],
    ['checkout.session.expired', { payment_status: 'unpaid' }, null],
    ['charge.dispute.funds_withdrawn', {}, 'TAKEN'],
    ['charge.dispute.closed', { status: 'lost' }, 'LOST'],
    ['charge.dispute.funds_reinstated', {}, 'RETURNED'],
    ['refund.updated', {}, null],
    ['an unknown type', {}, null],
  ])('of Stripe, %s of %o has the outcome %s', (type, object, outcome) => {
    expect(factsOfStripeEvent(type, { data: { object } }).outcome).toBe(outcome);
  });

  test.each<[unknown, number | null]>([
    [{ amount: 12.34 }, 12_34],
    [{ amount: -2 }, -2_00],
    [{ amount: 1_000, penalty: 100 }, 900_00],
    [{ amount: 5, penalty: null }, 5_00],
    [{ amount: Infinity }, null],
    [{ amount: 1e300 }, null],
    [{ amount: 0.001 }, null],
    [{ amount: '5' }, null],
    [{ amount: 5, penalty: '1' }, null],
    [{}, null],
    [null, null],
  ])('of an investment, %o, is %s', (data, amountMinor) => {
    expect(factsOfEvent('investment.withdrawn', { data }).amountMinor).toBe(amountMinor);
  });

  test.each<[string, object, number | null]>([
    ['investment.created', { penalty: 100 }, 1_000_00],
    ['profit.distributed', { penalty: 100 }, 1_000_00],
    ['profit.distributed', { penalty: null }, 1_000_00],
    ['profit.distributed', { penalty: 'none' }, 1_000_00],
    ['investment.withdrawn', { penalty: 100 }, 900_00],
  ])('only a payout has a penalty: %s with %o moves %s', (type, more, amountMinor) => {
    expect(factsOfEvent(type, { data: { amount: 1_000, ...more } }).amountMinor).toBe(amountMinor);
  });

  test.each(['kyc.synced', 'investment.updated', 'of.nobody'])('is none of an investment in %s', (type) => {
    const data = {
      externalId: 'passport-C01X00T47',
      amount: 1,
      userId: 'user-1',
      investmentExternalId: 'inv-1',
    };
    expect(factsOfEvent(type, { data })).toEqual({
      ...{
        subject: type === 'kyc.synced' ? 'user-1' : 'inv-1',
        movement: null,
        outcome: null,
        amountMinor: null,
      },
    });
  });

  test('of an investment has the id that the provider gave it', () => {
    const data = { externalId: 'out-1', investmentExternalId: 'inv-1', amount: 1 };
    expect(factsOfEvent('profit.distributed', { data })).toEqual({
      ...{ subject: 'inv-1', movement: 'out-1', outcome: null, amountMinor: 1_00 },
    });
  });
});

import { subjectOfReport } from '../../../../workflows/commerce/payment/payment-report.rules';
import { subjectOfStripeEvent } from '../../../../workflows/commerce/payment/stripe-event.rules';
import { idAt } from '../../../../workflows/commerce/webhook/report-subject.rules';
import { subjectOfEvent } from '../../../../workflows/investment/provider-event/provider-event.rules';

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

import { v7 } from 'uuid';
import { readMessage } from '../../../../activities/providers/payments/read-message';
import { stripeEvent } from '../../../support/fakes/stripe-events';

describe('Stripe’s refunds', () => {
  const read = (type: string, of: object) => readMessage('stripe', JSON.stringify(stripeEvent(type, of)));
  const refundId = v7();
  const object = (change: object = {}) => ({
    ...{
      id: 're_1',
      object: 'refund',
      payment_intent: 'pi_1',
      charge: 'ch_1',
      amount: 500,
      currency: 'usd',
    },
    ...{ status: 'succeeded', metadata: { refund_id: `${refundId}:2` }, ...change },
  });

  test.each([
    ['refund.created', 'succeeded', 'COMPLETED'],
    ['refund.updated', 'pending', 'PENDING'],
    ['refund.updated', 'requires_action', 'PENDING'],
    ['refund.updated', 'canceled', 'FAILED'],
    ['refund.failed', 'failed', 'FAILED'],
  ])('%s with %s is %s', (type, status, says) => {
    expect(read(type, object({ status }))).toEqual({
      about: 'refund',
      refund: {
        ...{ providerRefundId: 're_1', refundId, paymentId: 'pi_1', status: says },
        ...{ amountMinor: 500, currency: 'USD' },
      },
    });
  });

  test.each([{}, null, { refund_id: 'of another system' }, { refund_id: null }, { refund_id: refundId }])(
    'one with the metadata %j is not ours',
    (metadata) => {
      expect(read('refund.created', object({ metadata }))).toMatchObject({ refund: { refundId: null } });
    },
  );

  test.each([{ payment_intent: null }, { amount: 0 }, { status: 'made up' }, { currency: 'dollars' }])(
    'one with %j is nothing',
    (change) => {
      expect(read('refund.created', object(change))).toBeNull();
    },
  );
});

describe('refunds in our own form', () => {
  const refundId = v7();
  const data = { key: `${refundId}:2`, paymentId: 'p-1', amountMinor: 100, currency: 'USD' };
  const ours = (type: string, more: object = {}) =>
    readMessage('sandbox', JSON.stringify({ type, data: { ...data, ...more } }));

  test.each([
    ['refund.pending', 'PENDING'],
    ['refund.completed', 'COMPLETED'],
    ['refund.failed', 'FAILED'],
  ])('%s: the refund is %s', (type, status) => {
    const refund = { providerRefundId: 'r-1', paymentId: 'p-1', status, amountMinor: 100, currency: 'USD' };
    expect(ours(type, { refundId: 'r-1' })).toEqual({
      about: 'refund',
      refund: { ...refund, refundId },
    });
    expect(ours(type, { refundId: 'r-1', key: null })).toEqual({
      about: 'refund',
      refund: { ...refund, refundId: null },
    });
    expect(ours(type)).toBeNull();
    for (const key of [refundId, `${refundId}:0`, 'of another system'])
      expect(ours(type, { refundId: 'r-1', key })).toBeNull();
  });
});

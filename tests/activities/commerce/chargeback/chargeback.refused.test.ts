import { violations } from '../../../support/checks/violations';
import { ownDatabase } from '../../../support/servers/database';
import { orderSteps, paidOrder, PRICE_MINOR } from '../../../support/builders/ordering';
import { at, bookOf, stored, twice, type Change, type Type } from './chargebacks';

const own = ownDatabase();
const steps = () => orderSteps(own.db);

afterEach(async () => {
  expect(await violations(own.db)).toEqual([]);
});

describe('a report that cannot be applied', () => {
  test('returns what was never taken, or takes what never came: it waits', async () => {
    const order = await paidOrder(own.db);
    const early = await twice(own.db, 'payment.chargeback_returned', order, { chargebackId: 'c-7' });
    expect(early.outcomes).toEqual(['UNKNOWN_PAYMENT', 'UNKNOWN_PAYMENT']);
    const stray = await twice(own.db, 'payment.charged_back', order, {
      chargebackId: 'c-7',
      paymentId: 'p-x',
    });
    expect(stray.outcomes).toEqual(['UNKNOWN_PAYMENT', 'UNKNOWN_PAYMENT']);
    await twice(own.db, 'payment.charged_back', order, { chargebackId: 'c-7' });
    await steps().applyPaymentEvent({ webhookEventId: early.webhookEventId, at });
    expect(await bookOf(own.db, order)).toMatchObject({ chargebacks: [`${PRICE_MINOR} RETURNED`] });
  });

  test.each<[string, Type, Change]>([
    ['takes more than came', 'payment.charged_back', { chargebackId: 'c-9', amountMinor: PRICE_MINOR + 1 }],
    ['takes more than is left', 'payment.charged_back', { chargebackId: 'c-9', amountMinor: 4_001 }],
    ['takes other money', 'payment.charged_back', { chargebackId: 'c-9', currency: 'EUR' }],
    ['takes another sum by the same id', 'payment.charged_back', { chargebackId: 'c-8', amountMinor: 999 }],
    ['returns another sum', 'payment.chargeback_returned', { chargebackId: 'c-8', amountMinor: 1 }],
    ['has no id', 'payment.charged_back', {}],
  ])('%s: nothing is written, and no retry helps', async (_, type, change) => {
    const order = await paidOrder(own.db);
    await twice(own.db, 'payment.charged_back', order, { chargebackId: 'c-8', amountMinor: 1_000 });
    const webhookEventId = await stored(own.db, type, order, change);
    await expect(steps().applyPaymentEvent({ webhookEventId, at })).rejects.toMatchObject({
      type: 'PoisonousEvent',
      nonRetryable: true,
    });
    expect(await bookOf(own.db, order)).toMatchObject({
      chargebacks: ['1000 TAKEN'],
      chargedBackMinor: 1_000,
    });
  });
});

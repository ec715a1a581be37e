import { missingVariable } from '../../../activities/providers/variables';
import { paymentWebhooks } from '../../../activities/providers/payments/webhooks';
import { drivers } from '../../../activities/providers/drivers';
import { providerInvariants } from '../../../db/invariants/commerce/provider.invariants';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { callLimits, limitVariables } from '../../../workers/limits';
import { queuesOf } from '../../../workers/queues';
import { violations } from '../../support/checks/violations';
import { eventually } from '../../support/checks/eventually';
import { startWorld, type World } from '../../support/worlds/world';
import { AcmeCompany } from './acme/company';
import { acmeDriver } from './acme/driver';
import { acmeSignature, acmeWebhook } from './acme/webhook';
import { attemptOf, becomes, ordered } from './stripe-shop';

/** Acme is one folder: what is below follows from its entries in the two lists. */
const SECRET = 'acme-webhook-secret-1';
const variables = { PAYMENT_PROVIDER: 'acme', ACME_KEY: 'acme-key', ACME_WEBHOOK_SECRET: SECRET };

describe('a provider of payments that is one folder', () => {
  const company = new AcmeCompany('acme-key');
  let world: World;
  beforeAll(async () => {
    const base = await company.start();
    world = await startWorld({
      added: { driver: acmeDriver, webhook: acmeWebhook },
      variables: { ...variables, ACME_API_BASE: base },
    });
  });
  afterAll(async () => {
    expect(await violations(world.db)).toEqual([]);
    await world.teardown();
    await company.stop();
  });

  const send = (event: object, secret = SECRET) => {
    const body = JSON.stringify(event);
    return world.http
      .post('/api/v1/payments/webhooks/acme')
      .set('content-type', 'application/json')
      .set('acme-signature', acmeSignature(body, secret))
      .send(body);
  };

  test('its page, its report, PAID, cancelled, refunded', async () => {
    const order = await ordered(world);
    const attempt = await attemptOf(world, order);
    expect(order.payment.paymentUrl).toBe(`https://acme.test/pay/${attempt.id}`);
    expect(attempt.reference).toBe(`page-${attempt.id}`);

    const event = company.pay(attempt.id);
    expect((await send(event, 'another')).body.error.code).toBe('INVALID_SIGNATURE');
    expect((await send(event)).status).toBe(202);
    expect((await send(event)).status).toBe(200);
    await becomes(world, order, 'PROCESSING PAID');

    const cancelled = await order.ada.post(`/orders/${order.orderId}/cancel`, { reason: 'No longer needed' });
    expect(cancelled.status).toBe(200);
    await becomes(world, order, 'CANCELLED REFUNDED');
    const [refund, ...more] = [...company.refunds.values()];
    expect(more).toEqual([]);
    expect(refund).toMatchObject({ charge: event.charge, cents: attempt.amountMinor });
    const ours = await firstRow(
      world.db,
      'SELECT status, provider_refund_id AS refund FROM payment_refunds WHERE order_id = $1',
      [order.orderId],
    );
    expect(ours).toEqual({ status: 'COMPLETED', refund: refund!.refund });
  });

  test('its report of money without that money breaks an invariant', async () => {
    const order = await ordered(world);
    const event = company.pay((await attemptOf(world, order)).id);
    await send(event);
    await becomes(world, order, 'PROCESSING PAID');
    const { sql } = providerInvariants.find(({ id }) => id === 'webhooks.have-their-effect')!;
    const transaction = await world.db.sequelize.transaction();
    try {
      const tx = { ...world.db, transaction };
      expect(await rows(tx, sql)).toEqual([]);
      await execute(tx, `UPDATE webhook_events SET movement = 'ch-other' WHERE external_event_id = $1`, [
        event.no,
      ]);
      expect(await rows(tx, sql)).toEqual([
        { entity: expect.any(String), detail: `${event.no} of acme reports payment ch-other` },
      ]);
    } finally {
      await transaction.rollback();
    }
  });

  test('money that it did not report is found by looking it up', async () => {
    const order = await ordered(world);
    const attempt = await attemptOf(world, order);
    company.pay(attempt.id);
    const cancelled = await order.ada.post(`/orders/${order.orderId}/cancel`, { reason: 'No longer needed' });
    expect(cancelled.status).toBe(200);
    await becomes(world, order, 'CANCELLED REFUNDED');
    expect(company.refunds.size).toBe(2);
  });

  test('a report in another provider’s form is stored and changes nothing', async () => {
    const event = { no: 'ev-1', type: 'payment.paid', data: { key: 'x' } };
    expect((await send(event)).status).toBe(202);
    await eventually(async () =>
      expect(
        await firstRow(world.db, `SELECT status FROM webhook_events WHERE external_event_id = 'ev-1'`),
      ).toEqual({ status: 'IGNORED' }),
    );
    const { body } = await send({ type: 'acme.settled' });
    expect(body.error).toMatchObject({ code: 'VALIDATION_ERROR', details: { no: [expect.any(String)] } });
  });
});

test('its queues, their limits and the variables of these are named after it', () => {
  expect(queuesOf([acmeDriver])).toEqual(['providers:acme', 'providers:acme:lookup']);
  expect(Object.keys(limitVariables([acmeDriver]))).toEqual([
    'ACME_CALLS_PER_SECOND',
    'ACME_LOOKUPS_PER_SECOND',
  ]);
  const config = { ACME_CALLS_PER_SECOND: 3, ACME_LOOKUPS_PER_SECOND: 2 } as const;
  expect(callLimits(config, [acmeDriver])).toEqual({ 'providers:acme': 3, 'providers:acme:lookup': 2 });
});

test('each program asks for the variables that it reads of it, where it takes payments', () => {
  const chosen = { PAYMENT_PROVIDER: 'acme' };
  const api = (config: typeof chosen) => missingVariable([...paymentWebhooks, acmeWebhook], 'api', config);
  const worker = (config: typeof chosen) => missingVariable([...drivers, acmeDriver], 'worker', config);
  expect(api(chosen)).toBe('PAYMENT_PROVIDER is acme, so ACME_WEBHOOK_SECRET must be set.');
  expect(worker(chosen)).toBe('PAYMENT_PROVIDER is acme, so ACME_KEY must be set.');
  expect([api(variables), worker(variables)]).toEqual([null, null]);
  expect(api({ PAYMENT_PROVIDER: 'sandbox' })).toBeNull();
});

test('every provider that reports has a driver of its code, and the same variables', () => {
  const known = new Map<string, unknown>(drivers.map(({ code, variables: of }) => [code, of]));
  for (const { code, variables: of } of paymentWebhooks) expect([code, known.get(code)]).toEqual([code, of]);
});

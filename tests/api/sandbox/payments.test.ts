import { Webhook } from 'standardwebhooks';
import { v7 } from 'uuid';
import { PROVIDER_QUEUES } from '../../../workers/queues';
import { given } from '../../support/builders/given';
import { make } from '../../support/builders/make';
import { orderRow, press } from '../../support/builders/sandbox';
import { type PlacedOrder, shopper } from '../../support/builders/shop';
import { eventually } from '../../support/checks/eventually';
import { ownCheckedWorld, startWorld, type World } from '../../support/worlds/world';
import { anotherProcess } from '../another-process';
import { coming, report } from '../payments/webhooks/sending';

const world = ownCheckedWorld({ queues: ['interactive', 'ingest', ...PROVIDER_QUEUES] });

describe('the page of an order that cannot be paid there', () => {
  const pageOf = async (paymentUrl: string): Promise<string> => {
    const { pathname, search } = new URL(paymentUrl);
    return (await world.http.get(pathname + search)).text;
  };
  const closed = async ({ payment }: PlacedOrder, why: string) => {
    const text = await pageOf(payment.paymentUrl!);
    expect(text).toContain(`<p>${why}</p>`);
    expect(text).not.toContain('<form');
    expect(text).toContain('/api/docs/#/Orders/getOrder');
  };

  test('a cancelled order: nothing to press, and the reason', async () => {
    const order = await given(world).order();
    expect(await pageOf(order.payment.paymentUrl!)).toContain('<form');
    await order.ada.post(`/orders/${order.orderId}/cancel`, { reason: 'Changed my mind' });
    await closed(order, 'This order was cancelled.');
  });

  test('an order that was paid in another way', async () => {
    const order = await given(world).order();
    await order.ada.post(`/orders/${order.orderId}/pay`, { paymentMethod: 'BALANCE' });
    await closed(order, 'This order is already paid.');
  });

  test('an order for which another payment was opened', async () => {
    const order = await given(world).order();
    await order.ada.post(`/orders/${order.orderId}/pay`, { paymentMethod: 'BANK_TRANSFER' });
    await closed(order, 'Another payment was opened for this order.');
  });
});

describe('declined amounts', () => {
  /** An order whose price ends in .13, whatever the parcel costs. */
  async function unlucky() {
    const usual = await make.product(world.db, { stock: 10, priceMinor: 1_000 });
    const probe = await shopper(world, [{ productId: usual.id }]);
    const { summary } = await probe.order();
    const parcelMinor = Math.round(summary.total * 100) - 1_000;
    const product = await make.product(world.db, { stock: 10, priceMinor: 10_013 - parcelMinor });
    const ada = await shopper(world, [{ productId: product.id }]);
    return { ada, ...(await ada.order()) };
  }

  const becomes = ({ orderId }: PlacedOrder, expected: string): Promise<void> =>
    eventually(async () => {
      const { status, paymentStatus } = await orderRow(world, orderId);
      expect(`${status} ${paymentStatus}`).toBe(expected);
    });

  test.each(['pay', 'pay-late', 'pay-twice'] as const)(
    'a card is declined for an amount that ends in .13, by %s too; the order waits for another try',
    async (button) => {
      const order = await unlucky();
      expect(order.payment.amount).toBe(100.13);
      await press(world, order.payment.paymentUrl!, button);
      await becomes(order, 'PENDING_PAYMENT FAILED');
    },
  );

  test('the same amount by e-wallet is paid', async () => {
    const order = await unlucky();
    await press(world, order.payment.paymentUrl!, 'pay');
    await becomes(order, 'PENDING_PAYMENT FAILED');
    const again = await order.ada.post(`/orders/${order.orderId}/pay`, { paymentMethod: 'EWALLET' });
    expect(again.body.data.payment.amount).toBe(100.13);
    await press(world, again.body.data.payment.paymentUrl, 'pay');
    await becomes(order, 'PROCESSING PAID');
  });
});

describe('in production', () => {
  const stripe = {
    NODE_ENV: 'production',
    PAYMENT_PROVIDER: 'stripe',
    STRIPE_WEBHOOK_SECRETS: 'whsec_1',
  };

  test.each([
    ['development', {}, [true, true]],
    ['production that sells through Stripe', stripe, [false, false]],
    [
      'production that sells through the sandbox, as it is allowed to',
      { ...stripe, PAYMENT_PROVIDER: 'sandbox', ALLOW_SANDBOX_PAYMENTS: 'true' },
      [true, true],
    ],
  ])('%s: whether the sandbox’s pages and reports are served', async (_name, variables, served) => {
    const { http, close } = anotherProcess(world, variables);
    const page = await http.get('/sandbox/payments/x');
    const report = await http.post('/api/v1/payments/webhooks/sandbox').send({});
    await close();
    const code = (report.body as { error: { code: string } }).error.code;
    expect([page.status === 403, code !== 'PROVIDER_NOT_FOUND']).toEqual(served);
  });
});

describe('not in use', () => {
  let stripeWorld: World;
  beforeAll(async () => {
    const variables = {
      PAYMENT_PROVIDER: 'stripe',
      STRIPE_WEBHOOK_SECRETS: 'whsec_something',
      SANDBOX_SECRET: coming,
    };
    stripeWorld = await startWorld({ worker: false, variables });
  });
  afterAll(() => stripeWorld.teardown());

  test('where another provider takes payments, nothing of the sandbox is served', async () => {
    const page = await stripeWorld.http.get(`/sandbox/payments/${v7()}`);
    expect([page.status, page.body.error.code]).toEqual([404, 'NOT_FOUND']);
    const [id, at, body] = [v7(), new Date(), JSON.stringify(report)];
    const sent = await stripeWorld.http
      .post('/api/v1/payments/webhooks/sandbox')
      .set({
        'webhook-id': id,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(coming).sign(id, at, body),
      })
      .send(body);
    expect([sent.status, sent.body.error.code]).toEqual([404, 'PROVIDER_NOT_FOUND']);
    expect((await stripeWorld.http.post('/api/v1/payments/webhooks/stripe').send('{}')).status).toBe(401);
  });
});

import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startCollector, type Collector, type Span } from '../support/servers/collector';
import { eventually } from '../support/checks/eventually';
import { startKillingWorld } from '../support/worlds/killing-world';
import { make } from '../support/builders/make';
import { orderRow, press } from '../support/builders/sandbox';
import { shopper, type Shopper } from '../support/builders/shop';
import { logIn } from '../support/builders/sign-in';

const REQUEST_ID = `request-${randomUUID()}`;
const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

let logDir: string;
let collector: Collector;
let ada: Shopper;
let orderId: string;
/** The token of a login through the API. */
let loggedIn: string;

/** The real programs process one order until it is shipped, and are stopped, so that everything is exported. */
beforeAll(async () => {
  logDir = await mkdtemp(join(tmpdir(), 'logs-'));
  collector = await startCollector();
  const world = await startKillingWorld({
    logDir,
    // Exports are delayed until the end, so what arrives was flushed at the stop.
    variables: {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_BSP_SCHEDULE_DELAY: '600000',
      OTEL_BSP_MAX_EXPORT_BATCH_SIZE: '2048',
      LOG_LEVEL: 'debug',
    },
  });
  try {
    const product = await make.product(world.db, { stock: 3 });
    ada = await shopper(world, [{ productId: product.id }]);
    loggedIn = await logIn(world, ada.buyer);
    const { status, body } = await world.http
      .post('/api/v1/cart/checkout')
      .set({
        authorization: `Bearer ${ada.token}`,
        'idempotency-key': randomUUID(),
        'x-request-id': REQUEST_ID,
        traceparent: `00-${CALLER.traceId}-${CALLER.spanId}-01`,
        baggage: 'secret=of-strangers',
      })
      .send({
        shippingAddressId: ada.buyer.addressId,
        shippingMethodId: ada.methodId,
        paymentMethod: 'CARD',
      });
    expect(status).toBe(201);
    orderId = body.data.orderId;
    await press(world, body.data.payment.paymentUrl, 'pay');
    await eventually(async () =>
      expect(await orderRow(world, orderId)).toMatchObject({ status: 'PROCESSING' }),
    );
    expect(collector.spans).toEqual([]);
    await world.api.end('SIGTERM');
    await world.worker.end('SIGTERM');
  } finally {
    await world.teardown();
  }
});
afterAll(async () => {
  collector.close();
  await rm(logDir, { recursive: true, force: true });
});

const linesOf = async (part: 'api' | 'worker'): Promise<Record<string, unknown>[]> =>
  (await readFile(join(logDir, `${part}.log`), 'utf8'))
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('traces', () => {
  const inTrace = (): Span[] => collector.spans.filter(({ traceId }) => traceId === CALLER.traceId);
  const named = (name: string): Span => {
    const found = inTrace().find((span) => span.name === name);
    if (!found)
      throw new Error(
        `There is no ${name} among ${inTrace()
          .map((span) => span.name)
          .join(', ')}.`,
      );
    return found;
  };

  it.each([
    ['UpdateWithStartWorkflow:placeOrder', 'POST /cart/checkout'],
    ['RunWorkflow:checkout', 'UpdateWithStartWorkflow:placeOrder'],
    ['HandleUpdate:placeOrder', 'UpdateWithStartWorkflow:placeOrder'],
    ['StartActivity:placeOrder', 'HandleUpdate:placeOrder'],
    ['RunActivity:placeOrder', 'StartActivity:placeOrder'],
    ['StartChildWorkflow:fulfilment', 'RunWorkflow:checkout'],
  ])('%s is caused by %s', (effect, cause) => {
    expect(named(effect).parentSpanId).toBe(named(cause).spanId);
  });

  it('the request continues the caller’s trace and has its attributes', () => {
    const { service, parentSpanId, attributes } = named('POST /cart/checkout');
    expect(service).toBe('marketplace-api');
    expect(parentSpanId).toBe(CALLER.spanId);
    expect(attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/cart/checkout',
      'http.response.status_code': 201,
      'request.id': REQUEST_ID,
      'user.id': ada.buyer.id,
      'workflow.ids': [`checkout:${orderId}`],
    });
  });

  it('SQL is below its transaction, that below its activity, with statement and row count', () => {
    const activity = named('RunActivity:placeOrder');
    const transaction = inTrace().find(
      ({ name, parentSpanId }) => name === 'TRANSACTION' && parentSpanId === activity.spanId,
    );
    const insert = inTrace().find(({ attributes }) =>
      String(attributes['db.statement']).startsWith('INSERT INTO orders '),
    );
    expect(insert).toMatchObject({
      name: 'INSERT',
      service: 'marketplace-worker',
      parentSpanId: transaction?.spanId,
      attributes: { 'db.system': 'postgresql', 'db.rows': 1 },
    });
    const claim = inTrace().find(({ attributes }) =>
      String(attributes['db.statement']).startsWith('INSERT INTO idempotency_keys'),
    );
    expect(claim).toMatchObject({
      service: 'marketplace-api',
      parentSpanId: named('POST /cart/checkout').spanId,
    });
  });

  it('probes, polls and scrapes make no traces', () => {
    const names = collector.spans.map(({ name }) => name);
    expect(names.filter((name) => name.includes('health'))).toEqual([]);
    const known = new Set(collector.spans.map(({ spanId }) => spanId));
    const roots = collector.spans.filter(({ parentSpanId }) => !parentSpanId || !known.has(parentSpanId));
    expect(roots.filter(({ attributes }) => 'db.statement' in attributes)).toEqual([]);
  });

  it('carry ids and statements, no personal data and no headers of strangers', () => {
    for (const secret of [...personal(), 'of-strangers'])
      expect(collector.received.filter((body) => body.includes(secret))).toEqual([]);
  });
});

describe('log lines', () => {
  it('of the API have request, user, process and trace', async () => {
    const line = (await linesOf('api')).find(({ requestId }) => requestId === REQUEST_ID);
    expect(line).toMatchObject({
      route: '/cart/checkout',
      status: 201,
      userId: ada.buyer.id,
      workflowId: [`checkout:${orderId}`],
      traceId: CALLER.traceId,
    });
  });

  it('of the worker have the same request, for processes and activities', async () => {
    const lines = await linesOf('worker');
    const ofRequest = lines.filter(({ requestId }) => requestId === REQUEST_ID);
    expect(ofRequest).toContainEqual(
      expect.objectContaining({
        msg: 'Activity completed',
        activityType: 'placeOrder',
        workflowId: `checkout:${orderId}`,
        runId: expect.any(String),
        traceId: CALLER.traceId,
      }),
    );
    expect(ofRequest).toContainEqual(
      expect.objectContaining({ msg: 'Workflow completed', workflowId: `checkout:${orderId}` }),
    );
    // Fulfilment belongs to whichever started it first: the checkout, or the report of the payment.
    const report = lines.find(({ workflowType }) => workflowType === 'paymentEvent');
    const begun = lines.find(
      ({ workflowId, msg }) => workflowId === `fulfilment:${orderId}` && msg === 'Activity completed',
    );
    expect(report?.requestId).toEqual(expect.any(String));
    expect([REQUEST_ID, report?.requestId]).toContain(begun?.requestId);
  });

  it('hold no password, token, address or e-mail', async () => {
    for (const part of ['api', 'worker']) {
      const text = await readFile(join(logDir, `${part}.log`), 'utf8');
      for (const secret of personal()) expect(text).not.toContain(secret);
    }
  });
});

const personal = (): string[] => [
  ada.buyer.email,
  ada.buyer.password,
  ada.token,
  loggedIn,
  loggedIn.split('.')[2]!,
  ada.token.split('.')[2]!,
  'Unter den Linden',
  'Lovelace',
];

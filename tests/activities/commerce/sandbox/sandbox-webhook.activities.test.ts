import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { v7 } from 'uuid';
import { buildActivities } from '../../../../activities';
import { sandboxWebhookActivities } from '../../../../activities/commerce/sandbox/sandbox-webhook.activities';
import { ProvidersConfig } from '../../../../activities/providers/config';
import { sandboxEvent } from '../../../../db/commerce/sandbox/sandbox.reads';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { policyFrom } from '../../../../db/policy/config';
import type { PaymentOutcome } from '../../../../workflows/commerce/payment/payment-report.rules';
import type { SandboxWebhookActivities } from '../../../../workflows/commerce/sandbox/sandbox-webhook.contract';
import { ownDatabase } from '../../../support/servers/database';

const database = ownDatabase();
const secret = `whsec_${randomBytes(32).toString('base64')}`;
const retired = `whsec_${randomBytes(32).toString('base64')}`;

let shop: Server;
let answer: { status: number; location?: string };
let calls: { url: string | undefined; headers: IncomingHttpHeaders; body: string }[];
let provider: SandboxWebhookActivities;
let webhookUrl: string;

beforeAll(async () => {
  shop = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      calls.push({ url: request.url, headers: request.headers, body: Buffer.concat(chunks).toString() });
      response
        .writeHead(answer.status, answer.location === undefined ? {} : { location: answer.location })
        .end('{}');
    });
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
  webhookUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
  provider = sandboxWebhookActivities({
    db: database.db,
    sandbox: { webhookUrl: `${webhookUrl}/`, secrets: [secret, retired] },
  });
});
afterAll(() => shop.close());
beforeEach(() => {
  calls = [];
  answer = { status: 202 };
});

const at = new Date('2026-03-01T12:00:00.000Z');

async function entered(status: PaymentOutcome = 'PAID') {
  const key = v7();
  const [report] = await enterSandboxPayments(
    database.db,
    { key, amountMinor: 4_999, currency: 'USD', at },
    () => [{ status, delayMs: 0 }],
  );
  return { key, eventId: report!.eventId };
}

test('the report goes to the webhook address, signed so that the other side’s library takes it', async () => {
  const { key, eventId } = await entered();
  await provider.deliverSandboxEvent({ eventId });
  const [call] = calls;
  expect(call!.url).toBe('/api/v1/payments/webhooks/sandbox');
  expect(call!.headers['webhook-id']).toBe(eventId);
  const taken = new Webhook(secret).verify(call!.body, call!.headers as Record<string, string>);
  expect(taken).toEqual({
    type: 'payment.paid',
    timestamp: at.toISOString(),
    data: { key, paymentId: expect.any(String), amountMinor: 4_999, currency: 'USD' },
  });
  expect(() => new Webhook(retired).verify(call!.body, call!.headers as Record<string, string>)).toThrow();
  expect((await sandboxEvent(database.db, eventId))!.delivered).toBe(true);
});

test.each<[PaymentOutcome, string]>([
  ['DECLINED', 'payment.declined'],
  ['EXPIRED', 'payment.expired'],
])('%s is reported as %s', async (status, type) => {
  await provider.deliverSandboxEvent(await entered(status));
  expect(JSON.parse(calls[0]!.body).type).toBe(type);
});

test('what was taken is not sent again', async () => {
  const { eventId } = await entered();
  await provider.deliverSandboxEvent({ eventId });
  await provider.deliverSandboxEvent({ eventId });
  expect(calls).toHaveLength(1);
});

test.each([{ status: 500 }, { status: 401 }, { status: 429 }, { status: 302, location: '/elsewhere' }])(
  'an answer of $status is a failure, and the next try sends the same bytes',
  async (refusing) => {
    const { eventId } = await entered();
    answer = refusing;
    await expect(provider.deliverSandboxEvent({ eventId })).rejects.toThrow(String(refusing.status));
    expect((await sandboxEvent(database.db, eventId))!.delivered).toBe(false);
    answer = { status: 200 };
    await provider.deliverSandboxEvent({ eventId });
    expect(calls.map(({ body }) => body)).toEqual([calls[0]!.body, calls[0]!.body]);
  },
);

test('an address where nobody answers is a failure', async () => {
  const { eventId } = await entered();
  const nowhere = sandboxWebhookActivities({
    db: database.db,
    sandbox: { webhookUrl: 'http://127.0.0.1:1', secrets: [secret] },
  });
  await expect(nowhere.deliverSandboxEvent({ eventId })).rejects.toThrow('fetch failed');
});

test.each([
  ['PUBLIC_URL', () => ({ PUBLIC_URL: webhookUrl })],
  [
    'SANDBOX_WEBHOOK_URL, where PUBLIC_URL does not lead to the API from a worker',
    () => ({ PUBLIC_URL: 'http://127.0.0.1:1', SANDBOX_WEBHOOK_URL: webhookUrl }),
  ],
])('workers report to %s', async (_name, variables) => {
  const { eventId } = await entered();
  const config = ProvidersConfig.parse({ SANDBOX_SECRET: secret, ...variables() });
  const { db, url: databaseUrl } = database;
  const start = () => Promise.reject(new Error('starts nothing'));
  const checkProcesses = () => Promise.reject(new Error('checks nothing'));
  const activities = buildActivities({
    db,
    databaseUrl,
    start,
    longDb: db,
    checkProcesses,
    config,
    policy: policyFrom({}),
  });
  await activities.deliverSandboxEvent({ eventId });
  expect(calls.map(({ url }) => url)).toEqual(['/api/v1/payments/webhooks/sandbox']);
});

test('an event that does not exist is a failure', async () => {
  await expect(provider.deliverSandboxEvent({ eventId: v7() })).rejects.toThrow('has no event');
});

import { v7 } from 'uuid';
import {
  type StartProcess,
  webhookSweepActivities,
} from '../../../../activities/commerce/webhook/webhook-sweep.activities';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { markSandboxEventDelivered } from '../../../../db/commerce/sandbox/sandbox.writes';
import {
  markWebhookEventsStarted,
  reviveEvent,
  storeWebhookEvent,
} from '../../../../db/administration/webhook/webhook-event.writes';
import { execute, firstRow } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { given } from '../../../support/builders/given';
import { ownDatabase } from '../../../support/servers/database';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { buildActivities } from '../../../../activities';
import { sandboxWebhookActivities } from '../../../../activities/commerce/sandbox/sandbox-webhook.activities';
import { ProvidersConfig } from '../../../../activities/providers/config';
import { sandboxEvent } from '../../../../db/commerce/sandbox/sandbox.reads';
import { policyFrom } from '../../../../db/policy/config';
import type { PaymentOutcome } from '../../../../workflows/commerce/payment/payment-report.rules';
import type { SandboxWebhookActivities } from '../../../../workflows/commerce/sandbox/sandbox-webhook.contract';

const database = ownDatabase();

describe('the sweep', () => {
  const at = '2026-03-01T12:00:00.000Z';
  const secondsBefore = (seconds: number): Date => new Date(Date.parse(at) - seconds * 1000);

  /** Temporal as the sweep sees it: what was started before stays as it is; some ids may fail. */
  function temporal(failing: readonly string[] = [], failure?: Error) {
    const started: string[] = [];
    const start: StartProcess = (process, input) => {
      const id = process.id(input);
      if (failing.includes(id)) return Promise.reject(failure ?? new Error(`no start of ${id}`));
      if (started.includes(id)) return Promise.resolve('already started');
      started.push(id);
      return Promise.resolve('started');
    };
    return { started, sweep: webhookSweepActivities({ db: database.db, start }) };
  }
  beforeEach(async () => {
    await execute(database.owner, 'TRUNCATE webhook_events, sandbox_events, sandbox_payments');
  });

  async function stored(externalEventId: string, { known = true, age = 60 } = {}): Promise<string> {
    const event = {
      id: v7(),
      provider: 'sandbox',
      externalEventId,
      type: 'payment.paid',
      body: '{}',
      bodyHash: '',
    };
    return (await storeWebhookEvent(database.db, { ...event, known, at: secondsBefore(age) })).id;
  }
  const startedAt = async (id: string): Promise<Date | null> =>
    (await firstRow<{ at: Date | null }>(
      database.db,
      'SELECT started_at AS at FROM webhook_events WHERE id = $1',
      [id],
    ))!.at;

  describe('payment reports', () => {
    test('what was stored and not started is started, oldest first, and marked', async () => {
      const { started, sweep } = temporal();
      const younger = await stored('younger', { age: 30 });
      const older = await stored('older', { age: 90 });
      expect(await sweep.startForgottenWebhooks({ at })).toEqual({ started: 2, full: false });
      expect(started).toEqual([`webhook:sandbox:${older}`, `webhook:sandbox:${younger}`]);
      expect(await startedAt(older)).toEqual(new Date(at));
      expect(await startedAt(younger)).toEqual(new Date(at));
    });

    test('run again it finds nothing to do', async () => {
      const { started, sweep } = temporal();
      await stored('once');
      await sweep.startForgottenWebhooks({ at });
      expect(await sweep.startForgottenWebhooks({ at })).toEqual({ started: 0, full: false });
      expect(started).toHaveLength(1);
    });

    test('one that was started before, and only not marked, is marked', async () => {
      const { sweep } = temporal();
      const id = await stored('begun');
      await sweep.startForgottenWebhooks({ at });
      await execute(database.db, 'UPDATE webhook_events SET started_at = NULL');
      expect(await sweep.startForgottenWebhooks({ at })).toEqual({ started: 0, full: false });
      expect(await startedAt(id)).not.toBeNull();
    });

    test('what came in the last ten seconds, what is ignored and what has been started stays as it is', async () => {
      const { started, sweep } = temporal();
      await stored('fresh', { age: 9 });
      await stored('ignored', { known: false });
      await markWebhookEventsStarted(database.db, [await stored('started')], new Date(at));
      await sweep.startForgottenWebhooks({ at });
      expect(started).toEqual([]);
    });

    test('one that cannot be started stops neither the others nor the sweep, which tries it once', async () => {
      const bad = await stored('bad', { age: 900 });
      const { started, sweep } = temporal([`webhook:sandbox:${bad}`]);
      for (let count = 0; count < 25; count++) await stored(`good ${count}`);
      expect(await sweep.startForgottenWebhooks({ at })).toEqual({ started: 25, full: false });
      expect(started).toHaveLength(25);
      expect(await startedAt(bad)).toBeNull();
      await expect(sweep.startForgottenWebhooks({ at })).resolves.toEqual({ started: 0, full: false });
    });

    test('a whole batch that cannot be started does not keep later events from the next one', async () => {
      const bad: string[] = [];
      for (let count = 0; count < 200; count++) bad.push(await stored(`bad ${count}`, { age: 900 }));
      const { started, sweep } = temporal(bad.map((id) => `webhook:sandbox:${id}`));
      const good = await stored('good');
      await expect(sweep.startForgottenWebhooks({ at })).rejects.toThrow('no start of webhook:sandbox:');
      expect(await sweep.startForgottenWebhooks({ at })).toEqual({ started: 1, full: false });
      expect(started).toEqual([`webhook:sandbox:${good}`]);
    });

    test('one that ten sweeps could not start, although they started others, is dead until it is replayed', async () => {
      const bad = await stored('bad', { age: 900 });
      const { sweep } = temporal([`webhook:sandbox:${bad}`, `webhook:sandbox:${bad}:1`]);
      const event = () =>
        firstRow(
          database.db,
          'SELECT status, last_error, started_at IS NULL AS waits FROM webhook_events WHERE id = $1',
          [bad],
        );
      let minute = 0;
      const sweepAgain = async (): Promise<void> => {
        await stored(`good ${minute}`, { age: 800 });
        const next = new Date(Date.parse(at) + minute++ * 60_000).toISOString();
        await sweep.startForgottenWebhooks({ at: next });
      };
      for (let count = 0; count < 9; count++) await sweepAgain();
      expect(await event()).toEqual({ status: 'RECEIVED', lastError: null, waits: true });
      await sweepAgain();
      expect(await event()).toMatchObject({ status: 'DEAD', lastError: 'Its process could not be started.' });
      await inTransaction(database.db, (tx) => reviveEvent(tx, bad));
      await sweepAgain();
      expect(await event()).toEqual({
        status: 'RECEIVED',
        lastError: 'Its process could not be started.',
        waits: true,
      });
    });

    test('while Temporal throttles, starts of some fail and others do not: none is dead', async () => {
      const throttled = Object.assign(new Error('8 RESOURCE_EXHAUSTED: namespace rate limit exceeded'), {
        ...{ code: 8, details: 'namespace rate limit exceeded', metadata: {} },
      });
      const bad = await stored('bad', { age: 900 });
      const failure = new Error('Failed to start', { cause: throttled });
      const { sweep } = temporal([`webhook:sandbox:${bad}`], failure);
      const failures = () =>
        firstRow(database.db, 'SELECT status, start_failures FROM webhook_events WHERE id = $1', [bad]);
      for (let minute = 0; minute < 12; minute++) {
        await stored(`good ${minute}`, { age: 800 });
        const next = new Date(Date.parse(at) + minute * 60_000).toISOString();
        await sweep.startForgottenWebhooks({ at: next });
      }
      expect(await failures()).toEqual({ status: 'RECEIVED', startFailures: 0 });
    });

    test('one that failed before and is started begins anew', async () => {
      const bad = await stored('bad', { age: 900 });
      const { sweep } = temporal([`webhook:sandbox:${bad}`]);
      await stored('good', { age: 950 });
      await sweep.startForgottenWebhooks({ at });
      const failures = () =>
        firstRow(
          database.db,
          'SELECT started_at IS NULL AS waits, start_failures FROM webhook_events WHERE id = $1',
          [bad],
        );
      expect(await failures()).toEqual({ waits: true, startFailures: 1 });
      const next = new Date(Date.parse(at) + 60_000).toISOString();
      await temporal().sweep.startForgottenWebhooks({ at: next });
      expect(await failures()).toEqual({ waits: false, startFailures: 0 });
    });

    test('while none can be started, the fault is not theirs: none is dead, and the failure is thrown', async () => {
      const bad = await stored('bad', { age: 900 });
      const { sweep } = temporal([`webhook:sandbox:${bad}`]);
      for (let minute = 0; minute < 12; minute++) {
        const next = new Date(Date.parse(at) + minute * 60_000).toISOString();
        await expect(sweep.startForgottenWebhooks({ at: next })).rejects.toThrow('no start of');
      }
      expect(await startedAt(bad)).toBeNull();
    });

    test('more than one batch is answered as such', async () => {
      const { started, sweep } = temporal();
      await execute(
        database.db,
        `INSERT INTO webhook_events (id, provider, external_event_id, type, body, body_hash, status, received_at)
       SELECT gen_random_uuid(), 'sandbox', n, 'payment.paid', '{}', '', 'RECEIVED', $1
         FROM generate_series(1, 201) n`,
        [secondsBefore(60)],
      );
      expect(await sweep.startForgottenWebhooks({ at })).toEqual({ started: 200, full: true });
      expect(await sweep.startForgottenWebhooks({ at })).toEqual({ started: 1, full: false });
      expect(new Set(started).size).toBe(201);
    });
  });

  test('checkouts of orders that are overdue are started, but for those that are parked', async () => {
    const { started, sweep } = temporal();
    const due = async (minutes: number): Promise<string> => {
      const { orderId } = await given(database.db).order();
      await execute(database.db, 'UPDATE orders SET payment_expires_at = $2 WHERE id = $1', [
        orderId,
        secondsBefore(60 * minutes),
      ]);
      return orderId;
    };
    const [later, lost, parked] = [await due(9), await due(11), await due(12)];
    await execute(
      database.db,
      `INSERT INTO parked_processes VALUES ('checkout:' || $1, 'checkout', $1, 'lost', 'lost', now(), 'run')`,
      [parked],
    );
    expect(await sweep.startForgottenCheckouts({ at })).toEqual({ started: 1 });
    expect(started).toEqual([`checkout:${lost}`]);
    expect(started).not.toContain(`checkout:${later}`);
  });

  describe('sandbox reports', () => {
    const pressed = async (age: number, delayMs = 0): Promise<string> => {
      const payment = { key: v7(), amountMinor: 100, currency: 'USD', at: secondsBefore(age) };
      const [report] = await enterSandboxPayments(database.db, payment, () => [{ status: 'PAID', delayMs }]);
      return report!.eventId;
    };

    test('what was recorded and is overdue is sent on its way, with its delay', async () => {
      const { started, sweep } = temporal();
      const overdue = await pressed(60, 2_000);
      await pressed(9);
      await pressed(11, 2_000);
      await markSandboxEventDelivered(database.db, await pressed(60), new Date());
      await pressed(4 * 24 * 3_600);
      expect(await sweep.startForgottenSandboxEvents({ at })).toEqual({ started: 1 });
      expect(started).toEqual([`sandbox-webhook:${overdue}`]);
      expect(await sweep.startForgottenSandboxEvents({ at })).toEqual({ started: 0 });
    });
  });
});

describe('the webhook of the sandbox', () => {
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
});

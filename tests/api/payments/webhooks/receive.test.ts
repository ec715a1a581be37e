import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import { v7 } from 'uuid';
import { execute, firstRow } from '../../../../db/sql/query';
import { enterSandboxPayments } from '../../../../api/sandbox/enter-payments.command';
import { storeWebhookEvent } from '../../../../db/administration/webhook/webhook-event.writes';
import { startProcesses } from '../../../../workers/start';
import { paymentEventProcess } from '../../../../workflows/commerce/payment-event/payment-event.contract';
import { webhookSweepProcess } from '../../../../workflows/commerce/webhook/webhook-sweep.contract';
import { providerEventProcess } from '../../../../workflows/investment/provider-event/provider-event.contract';
import { eventually } from '../../../support/checks/eventually';
import { ownWorld, startWorld, type World } from '../../../support/worlds/world';
import { makeSecret, ownPaymentServer } from '../payment-server';
import { coming, current, report, sendingTo } from './sending';

const server = ownPaymentServer([current, coming]);

const { send, storedAs, started } = sendingTo(server);

describe('reports', () => {
  const eventCount = async (): Promise<number> =>
    (await firstRow<{ count: number }>(server.db, 'SELECT count(*) FROM webhook_events'))!.count;

  describe('a good report', () => {
    test('is stored as it came, answered 202, and started as webhook:{provider}:{eventId}', async () => {
      const id = v7();
      const body = ` ${JSON.stringify(report)}\n`;
      const { status, body: answer } = await send({ id, body });
      expect(status).toBe(202);
      expect(answer).toEqual({ success: true, data: { eventId: expect.any(String), status: 'ACCEPTED' } });
      const row = await started(id);
      expect(row).toMatchObject({ id: answer.data.eventId, type: 'payment.paid', body, status: 'RECEIVED' });
      expect(row.bodyHash).toBe(createHash('sha256').update(body).digest('hex'));
      const process = await server.temporal.workflow.getHandle(`webhook:sandbox:${row.id}`).describe();
      expect(process).toMatchObject({ type: 'paymentEvent', taskQueue: 'ingest' });
    });

    test('may be signed with either live secret, and carry a signature of each', async () => {
      await send({ by: coming }).expect(202);
      const [id, at, body] = [v7(), new Date(), JSON.stringify(report)];
      const signatures = [makeSecret(), coming]
        .map((secret) => new Webhook(secret).sign(id, at, body))
        .join(' ');
      await send({ id, at, body, headers: { 'webhook-signature': signatures } }).expect(202);
    });

    test('is taken whatever its content type says', async () => {
      await send({ headers: { 'content-type': 'text/plain' } }).expect(202);
    });

    test('of a type that we do not know is kept as IGNORED and not started', async () => {
      const id = v7();
      await send({ id, body: '{"type":"payment.disputed"}' }).expect(202);
      expect(await storedAs(id)).toMatchObject([{ type: 'payment.disputed', status: 'IGNORED' }]);
      const eventId = (await storedAs(id))[0]!.id;
      await expect(
        server.temporal.workflow.getHandle(`webhook:sandbox:${eventId}`).describe(),
      ).rejects.toThrow();
    });
  });

  describe('is refused and leaves nothing behind', () => {
    const refused = async (sending: request.Test, status: number, code: string) => {
      const before = await eventCount();
      const answer = await sending;
      expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code });
      expect(await eventCount()).toBe(before);
      return answer.body.error;
    };
    const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

    test.each<[string, () => request.Test]>([
      ['no signature', () => send().unset('webhook-signature')],
      ['no id', () => send().unset('webhook-id')],
      ['no timestamp', () => send().unset('webhook-timestamp')],
      ['a short signature', () => send({ headers: { 'webhook-signature': 'v1,AAAA' } })],
      ['a secret that is not ours', () => send({ by: makeSecret() })],
      ['a signature of six minutes ago', () => send({ at: minutesAgo(6) })],
      ['a signature of six minutes from now', () => send({ at: minutesAgo(-6) })],
      ['an id that was not signed', () => send({ headers: { 'webhook-id': v7() } })],
      ['what is not even JSON, unsigned', () => send({ body: '{', by: makeSecret() })],
    ])('%s: 401 INVALID_SIGNATURE', async (_, sending) => {
      await refused(sending(), 401, 'INVALID_SIGNATURE');
    });

    test('a body that was serialised again: 401 INVALID_SIGNATURE', async () => {
      const [id, at] = [v7(), new Date()];
      const signature = new Webhook(current).sign(id, at, JSON.stringify(report));
      const reserialised = send({
        id,
        at,
        body: JSON.stringify(report, null, 1),
        headers: { 'webhook-signature': signature },
      });
      await refused(reserialised, 401, 'INVALID_SIGNATURE');
    });

    test.each(['stripe', 'Stripe', 'Sandbox', '__proto__', 'constructor'])(
      'a provider %s: 404 PROVIDER_NOT_FOUND',
      async (code) => {
        const sending = request(server.url).post(`/api/v1/payments/webhooks/${code}`).send(report);
        await refused(sending, 404, 'PROVIDER_NOT_FOUND');
      },
    );

    test.each<[string, string | Buffer, string]>([
      ['nothing', '', 'body'],
      ['half of JSON', '{"type":', 'body'],
      ['bytes that are no text', Buffer.from([0x22, 0xff, 0x22]), 'body'],
      ['a list', '[]', 'type'],
      ['null', 'null', 'type'],
      ['no type', '{}', 'type'],
      ['a type that is no text', '{"type":1}', 'type'],
      ['an empty type', '{"type":""}', 'type'],
      ['a type with a NUL', '{"type":"a\\u0000"}', 'type'],
      ['a type that never ends', JSON.stringify({ type: 'a'.repeat(101) }), 'type'],
    ])('%s, well signed: 400 VALIDATION_ERROR', async (_, body, field) => {
      const error = await refused(send({ body }), 400, 'VALIDATION_ERROR');
      expect(Object.keys(error.details)).toEqual([field]);
    });

    test('the longest id that is accepted is started; the process has our id, which is short', async () => {
      const id = 'x'.repeat(200);
      const { body } = await send({ id }).expect(202);
      await started(id);
      const longestCode = 'x'.repeat(40);
      const names = [paymentEventProcess, providerEventProcess].map((process) =>
        process.id({ provider: longestCode, webhookEventId: body.data.eventId as string, replays: 999_999 }),
      );
      for (const name of names) expect(name.length).toBeLessThanOrEqual(255);
    });

    test.each(['a b', 'é', 'x'.repeat(201)])(
      'an id that cannot be one (%s): 400 VALIDATION_ERROR',
      async (id) => {
        const error = await refused(
          send({ id: Buffer.from(id).toString('latin1') }),
          400,
          'VALIDATION_ERROR',
        );
        expect(Object.keys(error.details)).toEqual(['webhook-id']);
      },
    );

    test('more than a megabyte: 413 PAYLOAD_TOO_LARGE', async () => {
      const body = JSON.stringify({ ...report, padding: 'x'.repeat(1024 * 1024) });
      await refused(send({ body }), 413, 'PAYLOAD_TOO_LARGE');
    });
  });
});

describe('repeated reports', () => {
  describe('the same report again', () => {
    test('is answered 200 DUPLICATE with the first one’s id', async () => {
      const id = v7();
      const first = await send({ id });
      const again = await send({ id });
      expect(again.status).toBe(200);
      expect(again.body.data).toEqual({ eventId: first.body.data.eventId, status: 'DUPLICATE' });
    });

    test('ten at once are one row and one process', async () => {
      const id = v7();
      const answers = await Promise.all(Array.from({ length: 10 }, () => send({ id })));
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 202]);
      expect(new Set(answers.map(({ body }) => body.data.eventId)).size).toBe(1);
      expect(await storedAs(id)).toHaveLength(1);
      const { id: eventId } = await started(id);
      const runs = server.temporal.workflow.list({ query: `WorkflowId = 'webhook:sandbox:${eventId}'` });
      await eventually(async () => {
        const found = [];
        for await (const run of runs) found.push(run.runId);
        expect(found).toHaveLength(1);
      });
    });

    test('with another body changes nothing, says DUPLICATE, and raises an alert', async () => {
      const id = v7();
      await send({ id });
      await send({ id, body: '{"type":"payment.declined"}' }).expect(200);
      expect(await storedAs(id)).toMatchObject([{ type: 'payment.paid', body: JSON.stringify(report) }]);
      expect(server.logged).toContainEqual(
        expect.objectContaining({ alert: 'WEBHOOK_ID_REUSED', externalEventId: id }),
      );
    });
  });

  describe('a report that was IGNORED', () => {
    const unknown = JSON.stringify({ ...report, type: 'payment.of_tomorrow' });

    /** A report whose type nobody knew when it came, and whose text was deleted since. */
    const ignored = async () => {
      const id = v7();
      const { eventId } = (await send({ id, body: unknown }).expect(202)).body.data;
      await execute(server.db, 'UPDATE webhook_events SET body = NULL WHERE id = $1', [eventId]);
      expect(await storedAs(id)).toMatchObject([{ status: 'IGNORED' }]);
      return { id, eventId };
    };

    test('is taken as new, under its id, when it comes again and its type is known now', async () => {
      const { id, eventId } = await ignored();
      const again = await send({ id }).expect(202);
      expect(again.body.data).toEqual({ eventId, status: 'ACCEPTED' });
      await started(id);
      expect(await storedAs(id)).toMatchObject([
        { id: eventId, type: report.type, body: JSON.stringify(report), status: 'RECEIVED' },
      ]);
      expect((await send({ id }).expect(200)).body.data).toEqual({ eventId, status: 'DUPLICATE' });
    });

    test('is taken once by ten deliveries at once', async () => {
      const { id } = await ignored();
      const answers = await Promise.all(Array.from({ length: 10 }, () => send({ id })));
      expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(9).fill(200), 202]);
      await started(id);
    });

    test('stays as it is when it comes again and its type is still unknown', async () => {
      const { id, eventId } = await ignored();
      const again = await send({ id, body: unknown }).expect(200);
      expect(again.body.data).toEqual({ eventId, status: 'DUPLICATE' });
      expect(await storedAs(id)).toMatchObject([{ status: 'IGNORED', body: null }]);
    });
  });

  test('while Temporal is away a report is stored and answered 202 at once; its repeat starts it afterwards', async () => {
    const id = v7();
    const waits = { msg: 'a webhook waits for the sweep' };
    await server.withoutTemporal(async (logged) => {
      await send({ id }).expect(202);
      expect(logged).not.toContainEqual(expect.objectContaining(waits)); // The answer came while it still tried.
      await eventually(() => expect(logged).toContainEqual(expect.objectContaining(waits)));
    });
    expect(await storedAs(id)).toMatchObject([{ status: 'RECEIVED', startedAt: null }]);
    await send({ id }).expect(200);
    await started(id);
  });
});

describe('a flood of reports', () => {
  let world: World;
  beforeAll(async () => {
    const variables = {
      RATE_LIMIT_SCALE: '1',
      SANDBOX_SECRET: current,
      POLICY_WEBHOOKS_PER_MINUTE: '40',
      POLICY_UNSIGNED_WEBHOOKS_PER_MINUTE: '5',
    };
    world = await startWorld({ worker: false, variables });
  });
  afterAll(() => world.teardown());

  const send = (provider: string, headers: Record<string, string>, body = '{}') =>
    world.http
      .post(`/api/v1/payments/webhooks/${provider}`)
      .set({ 'content-type': 'application/json', ...headers })
      .send(body)
      .then(({ status }) => status);

  function signed(): Promise<number> {
    const [id, at, body] = [v7(), new Date(), JSON.stringify(report)];
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(current).sign(id, at, body),
    };
    return send('sandbox', headers, body);
  }

  const many = (times: number, one: () => Promise<number>) => Promise.all(Array.from({ length: times }, one));
  const count = (statuses: number[]): Record<number, number> => {
    const counts: Record<number, number> = {};
    for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1;
    return counts;
  };

  test('a flood of unsigned reports, also from the provider’s own address, keeps no signed one out', async () => {
    const [forged, unknown, genuine] = await Promise.all([
      many(150, () => send('sandbox', {})),
      many(50, () => send('nobody', {})),
      many(40, signed),
    ]);
    expect(count(forged)).toEqual({ 401: 5, 429: 145 });
    expect(count(unknown)).toEqual({ 404: 50 });
    expect(count(genuine)).toEqual({ 202: 40 });
    expect(await signed()).toBe(429);
  });
});

describe('reports that are swept', () => {
  const world = ownWorld();

  const aMinuteAgo = (): Date => new Date(Date.now() - 60_000);

  async function sweep(): Promise<unknown> {
    await startProcesses(world.temporal)(webhookSweepProcess, {});
    return world.temporal.workflow.getHandle(webhookSweepProcess.id({})).result();
  }

  test('a report that was stored just before the API died is started by the sweep, once', async () => {
    const externalEventId = v7();
    const body = JSON.stringify({ type: 'payment.paid', data: { key: v7(), paymentId: v7() } });
    const report = { externalEventId, type: 'payment.paid', body, bodyHash: '', known: true };
    const { id } = await storeWebhookEvent(world.db, {
      id: v7(),
      provider: 'sandbox',
      at: aMinuteAgo(),
      ...report,
    });

    expect(await sweep()).toEqual({ started: 1 });
    expect(await sweep()).toEqual({ started: 0 });
    const process = await world.temporal.workflow.getHandle(`webhook:sandbox:${id}`).describe();
    expect(process.type).toBe('paymentEvent');
    const row = await firstRow<{ at: Date }>(
      world.db,
      'SELECT started_at AS at FROM webhook_events WHERE id = $1',
      [id],
    );
    expect(row!.at).not.toBeNull();
  });

  test('a press on the sandbox’s page that was recorded and not sent reaches our intake after the sweep', async () => {
    const payment = { key: v7(), amountMinor: 4_999, currency: 'USD', at: aMinuteAgo() };
    const [report] = await enterSandboxPayments(world.db, payment, () => [{ status: 'PAID', delayMs: 0 }]);
    expect(await sweep()).toEqual({ started: 1 });
    const row = await eventually(async () => {
      const found = await firstRow<{ body: string }>(
        world.db,
        'SELECT body FROM webhook_events WHERE external_event_id = $1',
        [report!.eventId],
      );
      if (!found) throw new Error('It has not arrived.');
      return found;
    });
    expect(JSON.parse(row.body).data).toMatchObject({
      key: payment.key,
      amountMinor: 4_999,
      currency: 'USD',
    });
  });
});

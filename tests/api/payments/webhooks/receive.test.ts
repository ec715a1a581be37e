import { isUtf8 } from 'node:buffer';
import { createHash, createHmac } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import { v7 } from 'uuid';
import { firstRow, rows } from '../../../../db/sql';
import { ownDatabase } from '../../../support/database';
import { eventually } from '../../../support/eventually';
import { connectTemporal, type TestTemporal } from '../../../support/temporal';
import { absentTemporal, makeSecret, startPaymentServer, type PaymentServer } from '../payment-server';

const database = ownDatabase();
const [current, coming] = [makeSecret(), makeSecret()];
let temporal: TestTemporal;
let server: PaymentServer;

beforeAll(async () => {
  temporal = await connectTemporal();
  const secrets = [current, coming];
  server = await startPaymentServer({ db: database.db, client: temporal.client, secrets });
});
afterAll(async () => {
  await server.drain();
  await temporal.close();
});

const report = {
  type: 'payment.paid',
  timestamp: '2026-03-01T12:00:00.000Z',
  data: { key: v7(), amountMinor: 1 },
};

interface Sent {
  id?: string;
  body?: string | Buffer;
  by?: string;
  at?: Date;
  headers?: Record<string, string>;
}

/** Sends a report as a provider would, signed by the library that providers use. */
function send({
  id = v7(),
  body = JSON.stringify(report),
  by = current,
  at = new Date(),
  headers = {},
}: Sent = {}) {
  const bytes = Buffer.from(body);
  return request(server.url)
    .post('/api/v1/payments/webhooks/sandbox')
    .set('content-type', 'application/json')
    .set('webhook-id', id)
    .set('webhook-timestamp', String(Math.floor(at.getTime() / 1000)))
    .set('webhook-signature', signature(id, at, bytes, by))
    .set(headers)
    .serialize((sent: unknown) => sent as string)
    .send(bytes as unknown as object);
}

/** The library signs texts only; for what is none, the same by hand. */
function signature(id: string, at: Date, bytes: Buffer, by: string): string {
  if (isUtf8(bytes)) return new Webhook(by).sign(id, at, bytes);
  const mac = createHmac('sha256', Buffer.from(by.replace('whsec_', ''), 'base64'));
  return `v1,${mac
    .update(`${id}.${Math.floor(at.getTime() / 1000)}.`)
    .update(bytes)
    .digest('base64')}`;
}

interface Row {
  id: string;
  type: string;
  body: string;
  bodyHash: string;
  status: string;
  startedAt: Date | null;
}

const storedAs = (externalEventId: string) =>
  rows<Row>(
    database.db,
    `SELECT id, type, body, body_hash AS "bodyHash", status, started_at AS "startedAt"
       FROM webhook_events WHERE provider = 'sandbox' AND external_event_id = $1`,
    [externalEventId],
  );

const started = (externalEventId: string) =>
  eventually(async () => {
    const [row] = await storedAs(externalEventId);
    if (!row?.startedAt) throw new Error('It was not started.');
    return row;
  });

const eventCount = async (): Promise<number> =>
  (await firstRow<{ count: number }>(database.db, 'SELECT count(*) FROM webhook_events'))!.count;

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
    const process = await temporal.client.workflow.getHandle(`webhook:sandbox:${id}`).describe();
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
    await expect(temporal.client.workflow.getHandle(`webhook:sandbox:${id}`).describe()).rejects.toThrow();
  });
});

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
    await started(id);
    const runs = temporal.client.workflow.list({ query: `WorkflowId = 'webhook:sandbox:${id}'` });
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

describe('when Temporal is away', () => {
  test('the report is stored and answered 202 at once; its repeat starts it when Temporal is back', async () => {
    const id = v7();
    const body = JSON.stringify(report);
    const whole = server;
    const client = absentTemporal();
    server = await startPaymentServer({
      db: database.db,
      client: absentTemporal(),
      secrets: [current],
    });
    try {
      const began = Date.now();
      await send({ id, body }).expect(202);
      expect(Date.now() - began).toBeLessThan(4_000); // Far less than trying to reach Temporal takes.
      const waits = { msg: 'a webhook waits for the sweep' };
      await eventually(async () => expect(server.logged).toContainEqual(expect.objectContaining(waits)));
    } finally {
      await server.drain();
      await client.connection.close();
      server = whole;
    }
    expect(await storedAs(id)).toMatchObject([{ status: 'RECEIVED', startedAt: null }]);
    await send({ id, body }).expect(200);
    await started(id);
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

  test('a body that was written anew: 401 INVALID_SIGNATURE', async () => {
    const [id, at] = [v7(), new Date()];
    const signature = new Webhook(current).sign(id, at, JSON.stringify(report));
    const anew = send({
      id,
      at,
      body: JSON.stringify(report, null, 1),
      headers: { 'webhook-signature': signature },
    });
    await refused(anew, 401, 'INVALID_SIGNATURE');
  });

  test.each(['stripe', 'Sandbox', '__proto__', 'constructor'])(
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

  test.each(['a b', 'é', 'x'.repeat(256)])(
    'an id that cannot be one (%s): 400 VALIDATION_ERROR',
    async (id) => {
      const error = await refused(send({ id: Buffer.from(id).toString('latin1') }), 400, 'VALIDATION_ERROR');
      expect(Object.keys(error.details)).toEqual(['webhook-id']);
    },
  );

  test('more than a megabyte: 413 PAYLOAD_TOO_LARGE', async () => {
    const body = JSON.stringify({ ...report, padding: 'x'.repeat(1024 * 1024) });
    await refused(send({ body }), 413, 'PAYLOAD_TOO_LARGE');
  });
});

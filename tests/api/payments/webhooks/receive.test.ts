import { createHash } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import request from 'supertest';
import { v7 } from 'uuid';
import { firstRow } from '../../../../db/sql/query';
import { makeSecret, ownPaymentServer } from '../payment-server';
import { coming, current, report, sendingTo } from './sending';

const server = ownPaymentServer([current, coming]);
const { send, storedAs, started } = sendingTo(server);

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
    const process = await server.temporal.workflow.getHandle(`webhook:sandbox:${id}`).describe();
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
    await expect(server.temporal.workflow.getHandle(`webhook:sandbox:${id}`).describe()).rejects.toThrow();
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

import { createHash, randomBytes } from 'node:crypto';
import request from 'supertest';
import { v7 } from 'uuid';
import { Webhook } from 'standardwebhooks';
import { firstRow, rows } from '../../../../db/sql/query';
import { isSigned } from '../../../../activities/providers/webhook';
import { eventually } from '../../../support/checks/eventually';
import {
  disputeObject,
  sessionObject,
  stripeEvent,
  stripeSecrets,
  stripeSignature,
} from '../../../support/fakes/stripe-events';
import { makeSecret, ownPaymentServer } from '../payment-server';

const server = ownPaymentServer([makeSecret()], stripeSecrets);

describe('events of Stripe', () => {
  const paidEvent = () => stripeEvent('checkout.session.completed', sessionObject(v7()));

  interface Sent {
    body?: string | Buffer;
    by?: string;
    at?: Date;
  }

  /** Sends an event as Stripe would, signed by Stripe's own library. */
  function send({ body = JSON.stringify(paidEvent()), by, at }: Sent = {}): request.Test {
    return request(server.url)
      .post('/api/v1/payments/webhooks/stripe')
      .set('content-type', 'application/json; charset=utf-8')
      .set('stripe-signature', stripeSignature(body.toString(), by, at))
      .serialize((sent: unknown) => sent as string)
      .send(Buffer.from(body));
  }

  const storedAs = (externalEventId: string) =>
    rows<{
      id: string;
      type: string;
      body: string;
      bodyHash: string;
      status: string;
      startedAt: Date | null;
    }>(
      server.db,
      `SELECT id, type, body, body_hash, status, started_at
       FROM webhook_events WHERE provider = 'stripe' AND external_event_id = $1`,
      [externalEventId],
    );

  describe('a good event', () => {
    test('is stored as it came, answered 202, and started as webhook:stripe:{eventId}', async () => {
      const event = paidEvent();
      const body = `${JSON.stringify(event, null, 2)}\n`;
      const answer = await send({ body });
      expect(answer.status).toBe(202);
      const row = await eventually(async () => {
        const [stored] = await storedAs(event.id);
        expect(stored?.startedAt).toBeTruthy();
        return stored!;
      });
      expect(row).toMatchObject({ id: answer.body.data.eventId, type: event.type, body, status: 'RECEIVED' });
      expect(row.bodyHash).toBe(createHash('sha256').update(body).digest('hex'));
      const process = await server.temporal.workflow.getHandle(`webhook:stripe:${row.id}`).describe();
      expect(process).toMatchObject({ type: 'paymentEvent', taskQueue: 'ingest' });
    });

    test('may be signed with either live secret, and a header may carry a signature of each', async () => {
      await send({ by: stripeSecrets[1] }).expect(202);
      const body = JSON.stringify(paidEvent());
      const [first, second] = [
        stripeSignature(body, 'whsec_strange'),
        stripeSignature(body, stripeSecrets[1]),
      ];
      const both = `${first},${second.split(',')[1]}`;
      await send({ body }).set('stripe-signature', both).expect(202);
    });

    test('that comes again is answered 200 DUPLICATE, once stored', async () => {
      const event = paidEvent();
      const body = JSON.stringify(event);
      const answers = await Promise.all(Array.from({ length: 5 }, () => send({ body })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 202]);
      expect(await storedAs(event.id)).toHaveLength(1);
    });

    test('that comes again in other words raises an alert and changes nothing', async () => {
      const event = paidEvent();
      await send({ body: JSON.stringify(event) }).expect(202);
      await send({ body: JSON.stringify({ ...event, livemode: true }) }).expect(200);
      expect(await storedAs(event.id)).toMatchObject([{ body: JSON.stringify(event) }]);
      expect(server.logged).toContainEqual(
        expect.objectContaining({ alert: 'WEBHOOK_ID_REUSED', externalEventId: event.id }),
      );
    });

    test.each<[string, string, object, string]>([
      [
        'a dispute, which names no attempt',
        'charge.dispute.funds_withdrawn',
        disputeObject('pi_1'),
        'RECEIVED',
      ],
      [
        'a dispute that was lost',
        'charge.dispute.closed',
        disputeObject('pi_1', { status: 'lost' }),
        'RECEIVED',
      ],
      [
        'a dispute that was won, whose money comes by another event',
        'charge.dispute.closed',
        disputeObject('pi_1', { status: 'won' }),
        'IGNORED',
      ],
      [
        'a refund, also without our id',
        'refund.updated',
        { payment_intent: 'pi_1', metadata: {} },
        'RECEIVED',
      ],
      ['a refund of no payment', 'refund.failed', { payment_intent: null, metadata: {} }, 'IGNORED'],
      ['a type that nothing is made of', 'customer.created', {}, 'IGNORED'],
      ['a type from the depths', 'constructor', {}, 'IGNORED'],
      ['somebody else’s session', 'checkout.session.completed', { metadata: {} }, 'IGNORED'],
      ['somebody else’s payment', 'payment_intent.payment_failed', { metadata: null }, 'IGNORED'],
    ])('%s is kept as %s', async (_, type, object, status) => {
      const event = stripeEvent(type, object);
      await send({ body: JSON.stringify(event) }).expect(202);
      expect(await storedAs(event.id)).toMatchObject([{ type, status }]);
    });
  });

  describe('is refused and leaves nothing behind', () => {
    const count = async () =>
      (await firstRow<{ count: number }>(server.db, 'SELECT count(*) FROM webhook_events'))!.count;
    const refused = async (sending: request.Test, status: number, code: string) => {
      const before = await count();
      const answer = await sending;
      expect({ status: answer.status, code: answer.body.error?.code }).toEqual({ status, code });
      expect(await count()).toBe(before);
      return answer.body.error;
    };
    const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * 60_000);

    test.each<[string, () => request.Test]>([
      ['no signature', () => send().unset('stripe-signature')],
      ['an empty signature', () => send().set('stripe-signature', '')],
      ['half of a signature', () => send().set('stripe-signature', 't=1')],
      ['a signature without a time', () => send().set('stripe-signature', 'v1=abc')],
      ['a short signature', () => send().set('stripe-signature', `t=${Date.now() / 1_000},v1=ab`)],
      ['a secret that is not ours', () => send({ by: 'whsec_strange' })],
      ['a signature of six minutes ago', () => send({ at: minutesAgo(6) })],
      ['what is not even JSON, unsigned', () => send({ body: '{', by: 'whsec_strange' })],
      ['what is not even JSON, unsigned and empty', () => send({ body: '', by: 'whsec_strange' })],
      [
        'a body that was serialised again',
        () => send({ body: JSON.stringify(paidEvent()) }).set('stripe-signature', stripeSignature('{}')),
      ],
      [
        'Standard Webhooks',
        () => send().unset('stripe-signature').set('webhook-id', v7()).set('webhook-signature', 'v1,abc'),
      ],
    ])('%s: 401 INVALID_SIGNATURE', async (_, sending) => {
      await refused(sending(), 401, 'INVALID_SIGNATURE');
    });

    test.each<[string, string, string]>([
      ['half of JSON', '{"type":', 'body'],
      ['a list', '[]', 'id'],
      ['null', 'null', 'id'],
      ['no id', '{"type":"customer.created"}', 'id'],
      ['an id with a space', '{"id":"evt 1","type":"customer.created"}', 'id'],
      ['an id that never ends', JSON.stringify({ id: 'e'.repeat(201), type: 'a' }), 'id'],
      ['no type', '{"id":"evt_1"}', 'type'],
      ['a type with a NUL', '{"id":"evt_1","type":"a\\u0000"}', 'type'],
    ])('%s, well signed: 400 VALIDATION_ERROR', async (_, body, field) => {
      const error = await refused(send({ body }), 400, 'VALIDATION_ERROR');
      expect(Object.keys(error.details)).toEqual([field]);
    });

    test('more than a megabyte: 413 PAYLOAD_TOO_LARGE', async () => {
      const body = JSON.stringify({ ...paidEvent(), padding: 'x'.repeat(1024 * 1024) });
      await refused(send({ body }), 413, 'PAYLOAD_TOO_LARGE');
    });
  });
});

describe('signatures of the sandbox', () => {
  const makeSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;
  const [secret, other] = [makeSecret(), makeSecret()];
  const now = new Date('2026-03-01T12:00:00.000Z');
  const body = Buffer.from('{"type":"payment.paid","data":{"note":"grün"}}');
  const id = 'evt_1';

  const secondsFromNow = (seconds: number): Date => new Date(now.getTime() + seconds * 1000);
  const timestampOf = (at: Date): string => String(Math.floor(at.getTime() / 1000));

  /** Signed by the library that providers use. */
  function signed({ by = secret, at = now, over = body, as = id } = {}) {
    return { id: as, timestamp: timestampOf(at), signature: new Webhook(by).sign(as, at, over.toString()) };
  }

  test('what the library of the other side signs is accepted', () => {
    expect(isSigned(body, signed(), [secret], now)).toBe(true);
  });

  test.each([
    ['no id', { ...signed(), id: undefined }],
    ['no timestamp', { ...signed(), timestamp: undefined }],
    ['no signature', { ...signed(), signature: undefined }],
    ['an empty signature', { ...signed(), signature: '' }],
    ['a short signature', { ...signed(), signature: 'v1,AAAA' }],
    ['a very long signature', { ...signed(), signature: `v1,${'A'.repeat(100_000)}` }],
    ['a signature without its version', { ...signed(), signature: signed().signature.slice(3) }],
    ['a signature of an unknown version', { ...signed(), signature: signed().signature.replace('v1', 'v2') }],
    ['the right signature cut by one character', { ...signed(), signature: signed().signature.slice(0, -1) }],
    ['the secret of another provider', signed({ by: other })],
    ['another id', { ...signed(), id: 'evt_2' }],
    ['another timestamp', { ...signed(), timestamp: timestampOf(secondsFromNow(1)) }],
    ['a timestamp that is no number', { ...signed(), timestamp: 'NaN' }],
    ['a timestamp with a sign', { ...signed(), timestamp: `+${timestampOf(now)}` }],
    ['another body', signed({ over: Buffer.from('{"type":"payment.paid"}') })],
  ])('%s is refused', (_, headers) => {
    expect(isSigned(body, headers, [secret], now)).toBe(false);
  });

  test('a body that was parsed and written again is refused: only the bytes count', () => {
    const spaced = Buffer.from('{ "type": "payment.paid" }');
    const headers = signed({ over: spaced });
    expect(isSigned(spaced, headers, [secret], now)).toBe(true);
    expect(isSigned(Buffer.from(JSON.stringify(JSON.parse(spaced.toString()))), headers, [secret], now)).toBe(
      false,
    );
  });

  test.each([
    [-301, false],
    [-300, true],
    [300, true],
    [301, false],
  ])('a timestamp %i s from now: accepted %s', (seconds, accepted) => {
    expect(isSigned(body, signed({ at: secondsFromNow(seconds) }), [secret], now)).toBe(accepted);
  });

  test('while a secret is changed, the old and the new one are good, and a header may carry both signatures', () => {
    expect(isSigned(body, signed({ by: other }), [secret, other], now)).toBe(true);
    const both = `${signed({ by: makeSecret() }).signature} ${signed().signature}`;
    expect(isSigned(body, { ...signed(), signature: both }, [secret], now)).toBe(true);
  });

  test('at most ten signatures are compared', () => {
    const wrong = Array.from({ length: 10 }, () => 'v1,AAAA').join(' ');
    expect(isSigned(body, { ...signed(), signature: `${wrong} ${signed().signature}` }, [secret], now)).toBe(
      false,
    );
  });

  test('without a secret nothing is accepted', () => {
    expect(isSigned(body, signed(), [], now)).toBe(false);
  });
});

import { ApplicationFailure } from '@temporalio/common';
import request from 'supertest';
import { v7 } from 'uuid';
import { forgetExpired } from '../../../db/administration/retention/retention.transitions';
import { policyFrom } from '../../../db/policy/config';
import { execute, firstRow, rows } from '../../../db/sql/query';
import { checkoutProcess } from '../../../workflows/commerce/checkout/checkout.contract';
import { PROVIDER_QUEUES } from '../../../workers/queues';
import { refusal } from '../../../workflows/errors';
import { make } from '../../support/builders/make';
import { newcomer } from '../../support/builders/registering';
import { shopper } from '../../support/builders/shop';
import { eventually } from '../../support/checks/eventually';
import { ownDatabase } from '../../support/servers/database';
import { ownCheckedWorld } from '../../support/worlds/world';
import { codeOf, next, seen, thingsOf } from './page-cache/things';
import { gate } from './shop';

const database = ownDatabase();

describe('idempotency', () => {
  const { app, send } = thingsOf(database);

  describe('a request that is repeated under its Idempotency-Key', () => {
    it('is done once and answered the same, byte for byte', async () => {
      const key = v7();
      const first = await send(key, { amount: 2 });
      const again = await send(key, { amount: 2 });
      expect(first.status).toBe(202);
      expect(first.headers['idempotent-replayed']).toBeUndefined();
      expect([again.status, again.text]).toEqual([202, first.text]);
      expect(again.headers['idempotent-replayed']).toBe('true');
      expect(seen).toHaveLength(1);
    });

    it('is refused with 409 while the first is being answered, and answered after', async () => {
      const key = v7();
      const [arrived, leave] = [gate(), gate()];
      next.push(() => (arrived.open(), leave.passed));
      const first = send(key).then((answer) => answer);
      await arrived.passed;
      expect(codeOf(await send(key))).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
      leave.open();
      const answer = await first;
      expect(answer.status).toBe(201);
      expect((await send(key)).text).toBe(answer.text);
      expect(seen).toHaveLength(1);
    });

    it('is done once for twenty concurrent requests', async () => {
      const key = v7();
      const server = app();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => send(key, { amount: 1 }, { server })),
      );
      expect(seen).toHaveLength(1);
      const texts = new Set(answers.filter(({ status }) => status === 201).map(({ text }) => text));
      expect(texts.size).toBe(1);
      expect(answers.every(({ status }) => status === 201 || status === 409)).toBe(true);
    });

    it('is refused with 422 if its body or its path differs', async () => {
      const key = v7();
      await send(key);
      expect(codeOf(await send(key, { amount: 3 }))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(codeOf(await send(key, { amount: 1 }, { thing: 'y' }))).toEqual([422, 'IDEMPOTENCY_KEY_REUSED']);
      expect(seen).toHaveLength(1);
    });

    it('is another request when another user sends it', async () => {
      const key = v7();
      const ann = await send(key);
      const bob = await send(key, { amount: 1 }, { user: 'bob' });
      expect(bob.status).toBe(201);
      expect(bob.body.data.thing).not.toBe(ann.body.data.thing);
      expect(seen[0]?.idempotencyId).not.toBe(seen[1]?.idempotencyId);
    });

    it('gets the same refusal again', async () => {
      const key = v7();
      next.push(() => Promise.reject(refusal('CART_EMPTY', 'Nothing there.')));
      const first = await send(key);
      expect(codeOf(first)).toEqual([400, 'CART_EMPTY']);
      const again = await send(key);
      expect([again.text, again.headers['idempotent-replayed']]).toEqual([first.text, 'true']);
      expect(seen).toHaveLength(1);
    });

    it('is done again, with the same ids, after a 500', async () => {
      const key = v7();
      next.push(() => Promise.reject(new Error('broken')));
      expect((await send(key)).status).toBe(500);
      const again = await send(key);
      expect(again.status).toBe(201);
      expect(again.headers['idempotent-replayed']).toBeUndefined();
      expect(seen).toHaveLength(2);
      expect(seen[1]).toEqual(seen[0]);
      expect((await send(key)).text).toBe(again.text);
    });

    it('may be corrected under the same key after a failed validation', async () => {
      const key = v7();
      expect((await send(key, { amount: 'much' })).status).toBe(400);
      expect((await send(key)).status).toBe(201);
    });

    it('is not counted against the limit', async () => {
      const server = app({ RATE_LIMIT_SCALE: '1' });
      const ask = (key: string) =>
        request(server)
          .post('/api/v1/dear')
          .set('Authorization', 'Bearer dora')
          .set('Idempotency-Key', key)
          .send({});
      for (const key of ['1', '2', '1', '2', '1']) expect((await ask(key)).status).toBe(200);
      expect((await ask('3')).status).toBe(429);
      expect((await ask('2')).status).toBe(200);
    });
  });
});

describe('keys', () => {
  const { app, send } = thingsOf(database);

  describe('a request whose process died', () => {
    const abandon = async (key: string, age: string) => {
      next.push(() => Promise.reject(new Error('died')));
      await send(key);
      await execute(
        database.db,
        `UPDATE idempotency_keys SET state = 'CLAIMED', claimed_at = now() - $2::interval WHERE key = $1`,
        [key, age],
      );
    };

    it('keeps its key for half a minute', async () => {
      const key = v7();
      await abandon(key, '25 seconds');
      expect(codeOf(await send(key))).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
    });

    it('is then claimed by exactly one of several repetitions, with its ids', async () => {
      const key = v7();
      await abandon(key, '31 seconds');
      const leave = gate();
      next.push(() => leave.passed);
      const server = app();
      const tries = Array.from({ length: 10 }, () =>
        send(key, { amount: 1 }, { server }).then((answer) => answer),
      );
      const refused = await Promise.race(tries);
      expect(codeOf(refused)).toEqual([409, 'IDEMPOTENCY_IN_PROGRESS']);
      leave.open();
      const answers = await Promise.all(tries);
      expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThanOrEqual(1);
      expect(seen).toHaveLength(2);
      expect(seen[1]).toEqual(seen[0]);
    });

    it('no longer changes anything if it was only slow', async () => {
      const key = v7();
      const [arrived, leave] = [gate(), gate()];
      next.push(
        () => (arrived.open(), leave.passed.then(() => Promise.reject(refusal('CART_EMPTY', 'Late.')))),
      );
      const slow = send(key).then((answer) => answer);
      await arrived.passed;
      await execute(
        database.db,
        `UPDATE idempotency_keys SET claimed_at = now() - interval '1 minute' WHERE key = $1`,
        [key],
      );
      const second = await send(key);
      expect(second.status).toBe(201);
      leave.open();
      expect((await slow).status).toBe(400);
      expect((await send(key)).text).toBe(second.text);
    });
  });

  describe('a key', () => {
    it('is forgotten after 24 hours, ids and all', async () => {
      const key = v7();
      const first = await send(key);
      await execute(
        database.db,
        `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = $1`,
        [key],
      );
      const later = await send(key, { amount: 5 });
      expect(later.status).toBe(201);
      expect(later.body.data.thing).not.toBe(first.body.data.thing);
      // Processes must not know the second request by the update id of the first.
      expect(seen[1]?.idempotencyId).not.toBe(seen[0]?.idempotencyId);
      expect((await send(key, { amount: 5 })).headers['idempotent-replayed']).toBe('true');
    });

    it('is deleted with others of its age, and only with them', async () => {
      const [old, young] = [v7(), v7()];
      await send(old);
      await send(young);
      await execute(
        database.db,
        `UPDATE idempotency_keys SET created_at = now() - interval '25 hours' WHERE key = $1`,
        [old],
      );
      const { idempotencyKeys } = await forgetExpired(database.db, new Date(), policyFrom({}));
      expect(idempotencyKeys).toBe(1);
      const left = await rows<{ key: string }>(database.db, 'SELECT key FROM idempotency_keys');
      expect(left.map(({ key }) => key)).toContain(young);
      expect(left.map(({ key }) => key)).not.toContain(old);
    });

    it.each([
      ['empty', ''],
      ['too long', 'x'.repeat(256)],
      ['not ASCII', 'schl\u00fcssel'],
    ])('must not be %s', async (_what, key) => {
      const answer = await send(key);
      expect(codeOf(answer)).toEqual([400, 'VALIDATION_ERROR']);
      expect(Object.keys(answer.body.error.details)).toEqual(['Idempotency-Key']);
    });

    it('may have 255 characters', async () => {
      expect((await send('x'.repeat(255))).status).toBe(201);
    });

    it('is ignored if the contract says so; requests without a key are not deduplicated', async () => {
      const ask = (path: string) => request(app()).post(path).set('Idempotency-Key', 'k').send({});
      expect((await ask('/api/v1/careless')).body.data.id).not.toBe(
        (await ask('/api/v1/careless')).body.data.id,
      );
      const [one, two] = [await send(null), await send(null)];
      expect(one.body.data.thing).not.toBe(two.body.data.thing);
      expect(seen[0]?.idempotencyId).not.toBe(seen[1]?.idempotencyId);
    });

    it('is stored for at most 500 requests of one network without an account', async () => {
      const server = app();
      const { db } = database;
      const ask = (key: string) =>
        request(server).post('/api/v1/anonymous').set('Idempotency-Key', key).send({});
      await ask('seen-once');
      await execute(
        db,
        `INSERT INTO idempotency_keys (owner, route, key, body_hash, state, status, body, claimed_at, created_at)
       SELECT owner, route, 'old-' || n, body_hash, 'DONE', 200, '"{}"', now(), now() - make_interval(mins => n)
       FROM idempotency_keys, generate_series(1, 600) n WHERE key = 'seen-once'`,
      );
      await ask('seen-twice');
      const [left] = await rows<{ count: number }>(
        db,
        `SELECT count(*)::int AS count FROM idempotency_keys WHERE owner LIKE 'address:%'`,
      );
      expect(left!.count).toBeLessThanOrEqual(501);
      expect((await ask('seen-once')).headers['idempotent-replayed']).toBe('true');
    });

    it('belongs to the network of a caller without an account', async () => {
      const ask = () => request(app()).post('/api/v1/anonymous').set('Idempotency-Key', 'same').send({});
      const [first, again] = [await ask(), await ask()];
      expect(again.text).toBe(first.text);
    });
  });
});

describe('tried again', () => {
  type Failing = 'placeOrder' | 'openPayment' | 'cancelOrder' | 'register';
  /** Steps whose next run fails for good, with all of its work committed or none. */
  const failing = new Map<Failing, 'undone' | 'done'>();

  const orFail =
    <Input, Output>(name: Failing, step: (input: Input) => Promise<Output>) =>
    async (input: Input): Promise<Output> => {
      const how = failing.get(name);
      failing.delete(name);
      if (how === undefined) return step(input);
      if (how === 'done') await step(input);
      throw ApplicationFailure.nonRetryable('The database was away for longer than all tries.');
    };

  const world = ownCheckedWorld({
    queues: ['interactive', ...PROVIDER_QUEUES],
    fakes: (real) => ({
      placeOrder: orFail('placeOrder', real.placeOrder),
      openPayment: orFail('openPayment', real.openPayment),
      cancelOrder: orFail('cancelOrder', real.cancelOrder),
      register: orFail('register', real.register),
    }),
  });
  beforeEach(() => failing.clear());

  const buyer = async () => {
    const product = await make.product(world.db, { stock: 5 });
    return shopper(world, [{ productId: product.id }]);
  };
  const ordersOf = (userId: string) =>
    rows<{ id: string; status: string }>(world.db, 'SELECT id, status FROM orders WHERE user_id = $1', [
      userId,
    ]);
  const ended = (orderId: string) =>
    eventually(async () => {
      const { status } = await world.temporal.workflow.getHandle(checkoutProcess.id({ orderId })).describe();
      expect(status.name).toBe('COMPLETED');
    });

  describe.each(['undone', 'done'] as const)('a step whose retries are used up, its work %s:', (how) => {
    test('the caller is asked to try again, and the same key then orders once', async () => {
      const ada = await buyer();
      const key = v7();
      failing.set('placeOrder', how);
      const first = await ada.checkout({}, key);
      expect([first.status, first.body.error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      expect(first.body.error.message).toBe(
        'It is not known whether this took effect. Send it again with the same Idempotency-Key, or look first.',
      );
      expect(first.headers['retry-after']).toMatch(/^\d+$/);

      const again = await ada.checkout({}, key);
      expect(again.status).toBe(201);
      expect(await ordersOf(ada.buyer.id)).toMatchObject([{ id: again.body.data.orderId }]);
      const third = await ada.checkout({}, key);
      expect([third.text, third.headers['idempotent-replayed']]).toEqual([again.text, 'true']);
    });

    test('the same key then opens one attempt to pay', async () => {
      const ada = await buyer();
      const { orderId } = await ada.order({ paymentMethod: 'BANK_TRANSFER' });
      const key = v7();
      failing.set('openPayment', how);
      const pay = () => ada.post(`/orders/${orderId}/pay`, { paymentMethod: 'CARD' }, key);
      expect((await pay()).status).toBe(503);
      expect((await pay()).status).toBe(201);
      const attempts = await rows(world.db, 'SELECT id FROM payment_attempts WHERE order_id = $1', [orderId]);
      expect(attempts).toHaveLength(2);
    });

    test('the same key then cancels the order, or finds that it has', async () => {
      const ada = await buyer();
      const { orderId } = await ada.order();
      const key = v7();
      failing.set('cancelOrder', how);
      const cancel = (with_ = key) =>
        ada.post(`/orders/${orderId}/cancel`, { reason: 'Changed my mind' }, with_);
      expect((await cancel()).status).toBe(503);
      const again = await cancel();
      expect([again.status, again.body.data]).toMatchObject([
        200,
        { status: 'CANCELLED', refundStatus: null },
      ]);
      expect(await ordersOf(ada.buyer.id)).toMatchObject([{ status: 'CANCELLED' }]);
      expect((await cancel(v7())).body.error.code).toBe('CANNOT_CANCEL');
    });

    test('the same key then registers the account', async () => {
      const person = newcomer();
      const key = v7();
      const register = () =>
        world.http.post('/api/v1/auth/register').set('Idempotency-Key', key).send(person);
      failing.set('register', how);
      expect((await register()).status).toBe(503);
      expect((await register()).status).toBe(201);
      expect(
        await firstRow(world.db, 'SELECT count(*)::int AS count FROM users WHERE email = $1', [person.email]),
      ).toEqual({
        count: 1,
      });
    });
  });

  test('a key whose order was placed, not answered and cancelled later gets its order, not CART_EMPTY', async () => {
    const ada = await buyer();
    const key = v7();
    failing.set('placeOrder', 'done');
    expect((await ada.checkout({}, key)).status).toBe(503);
    const [order] = await ordersOf(ada.buyer.id);
    expect((await ada.post(`/orders/${order!.id}/cancel`, { reason: 'No answer' })).status).toBe(200);
    await ended(order!.id);

    const again = await ada.checkout({}, key);
    expect([again.status, again.body.data?.orderId]).toEqual([201, order!.id]);
    expect(await ordersOf(ada.buyer.id)).toMatchObject([{ status: 'CANCELLED' }]);
    await ended(order!.id);
  });
});

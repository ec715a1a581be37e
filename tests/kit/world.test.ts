import { randomUUID } from 'node:crypto';
import { execute } from '../../db/sql/query';
import { PROVIDER_QUEUES } from '../../workers/queues';
import { make } from '../support/builders/make';
import { shopper, type Shopper } from '../support/builders/shop';
import { logIn } from '../support/builders/sign-in';
import { checkClientLog, clientInvariants, type LoggedCall } from '../support/checks/client-log';
import { ownWorld } from '../support/worlds/world';

const world = ownWorld({ queues: ['interactive', ...PROVIDER_QUEUES] });

describe('a world', () => {
  test('the API answers over HTTP, with database and Temporal behind it', async () => {
    const { status, body } = await world.http.get('/health/ready');
    expect({ status, body }).toMatchObject({ status: 200 });
  });

  test('a created user signs in and is recognised', async () => {
    const buyer = await make.buyer(world.db);
    const token = await logIn(world, buyer);
    const { body } = await world.http.get('/api/v1/users/me/addresses').auth(token, { type: 'bearer' });
    expect(body.data.addresses).toEqual([expect.objectContaining({ id: buyer.addressId, country: 'DE' })]);
  });

  test('a wrong password does not', async () => {
    const buyer = await make.buyer(world.db);
    await expect(logIn(world, { ...buyer, password: 'Wrong-horse-7!' })).rejects.toThrow(
      'INVALID_CREDENTIALS',
    );
  });
});

describe('the client log', () => {
  let ada: Shopper;
  let productId: string;
  beforeAll(async () => {
    productId = (await make.product(world.db)).id;
  });
  beforeEach(async () => {
    ada = await shopper(world, [{ productId }]);
  });

  /** Places an order with or without a key; answers the entry of the client log. */
  async function ordered(key: string | null = randomUUID()): Promise<LoggedCall & { orderId: string }> {
    const path = '/api/v1/cart/checkout';
    const pending = world.http.post(path).auth(ada.token, { type: 'bearer' });
    const answer = await (key === null ? pending : pending.set('idempotency-key', key)).send({
      shippingAddressId: ada.buyer.addressId,
      shippingMethodId: ada.methodId,
      paymentMethod: 'CARD',
    });
    expect(answer.status).toBe(201);
    return {
      operation: 'checkout',
      userId: ada.buyer.id,
      key,
      orderId: answer.body.data.orderId,
      outcome: 'ok',
    };
  }
  const broken = (invariant: string, entity: string) => [
    { invariant, entity, detail: expect.stringMatching(/./) },
  ];
  const cancel = (orderId: string, outcome: LoggedCall['outcome']): LoggedCall => ({
    operation: 'cancel',
    userId: ada.buyer.id,
    key: randomUUID(),
    orderId,
    outcome,
  });

  test('the answers to clients agree with the database', async () => {
    const order = await ordered();
    const refused: LoggedCall = { ...order, key: randomUUID(), orderId: null, outcome: 'fail' };
    await ada.post(`/orders/${order.orderId}/cancel`, { reason: 'x' });
    const log = [order, refused, cancel(order.orderId, 'ok'), cancel(order.orderId, 'fail')];
    expect(await checkClientLog(world.db, log)).toEqual([]);
  });

  test('an unanswered request may have taken effect or not', async () => {
    const done: LoggedCall = { ...(await ordered()), orderId: null, outcome: 'unknown' };
    expect(await checkClientLog(world.db, [done, { ...done, key: randomUUID() }])).toEqual([]);
  });

  describe('client.ok-is-there', () => {
    test('an order that does not exist, and one of another request', async () => {
      const order = await ordered();
      const lost = { ...order, orderId: randomUUID() };
      expect(await checkClientLog(world.db, [lost])).toEqual(broken('client.ok-is-there', lost.orderId));
      const mixed = { ...order, key: randomUUID() };
      expect(await checkClientLog(world.db, [mixed])).toEqual(broken('client.ok-is-there', order.orderId));
    });

    test.each(['cancel', 'transfer'])('a %s that did not take effect', async (operation) => {
      const order = await ordered();
      const answered = { ...cancel(order.orderId, 'ok'), operation };
      expect(await checkClientLog(world.db, [order, answered])).toEqual(
        broken('client.ok-is-there', order.orderId),
      );
    });
  });

  describe('client.fail-is-not-there', () => {
    test('an order that was refused and exists', async () => {
      const order = await ordered();
      const refused: LoggedCall = { ...order, orderId: null, outcome: 'fail' };
      expect(await checkClientLog(world.db, [refused])).toEqual(
        broken('client.fail-is-not-there', order.orderId),
      );
    });

    test('a cancellation that was refused and took effect', async () => {
      const order = await ordered();
      await ada.post(`/orders/${order.orderId}/cancel`, { reason: 'x' });
      const log = [order, cancel(order.orderId, 'fail')];
      expect(await checkClientLog(world.db, log)).toEqual(broken('client.fail-is-not-there', order.orderId));
      expect(await checkClientLog(world.db, [...log, cancel(order.orderId, 'unknown')])).toEqual([]);
    });
  });

  describe('client.unknown-is-there-once', () => {
    test('an order without a request', async () => {
      const order = await ordered();
      await execute(world.db, `DELETE FROM idempotency_keys WHERE key = $1`, [order.key]);
      const unknown: LoggedCall = { ...order, orderId: null, outcome: 'unknown' };
      const found = await checkClientLog(world.db, [unknown]);
      expect(found).toEqual(broken('client.unknown-is-there-once', order.orderId));
    });

    test('one call without a key that made two orders', async () => {
      const first = await ordered(null);
      await execute(
        world.db,
        `INSERT INTO cart_items (id, cart_id, product_id, quantity, shown_price_minor, added_at)
       SELECT gen_random_uuid(), id, $2, 1, 2500, now() FROM carts WHERE user_id = $1`,
        [ada.buyer.id, productId],
      );
      const second = await ordered(null);
      const unknown: LoggedCall = { ...first, orderId: null, outcome: 'unknown' };
      const found = await checkClientLog(world.db, [unknown]);
      expect(found).toEqual(broken('client.unknown-is-there-once', second.orderId));
      expect(await checkClientLog(world.db, [unknown, second])).toEqual([]);
    });
  });

  test('every rule about clients is tried above', () => {
    expect(Object.keys(clientInvariants)).toEqual([
      'client.ok-is-there',
      'client.fail-is-not-there',
      'client.unknown-is-there-once',
    ]);
  });
});

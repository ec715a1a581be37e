import { ApplicationFailure } from '@temporalio/common';
import { v7 } from 'uuid';
import { checkoutProcess } from '../../../../workflows/commerce/order/checkout.contract';
import { firstRow, rows } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { newcomer } from '../../../support/builders/registering';
import { shopper } from '../../../support/builders/shop';
import { startWorld, type World } from '../../../support/worlds/world';

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

let world: World;
beforeAll(async () => {
  world = await startWorld({
    fakes: (real) => ({
      placeOrder: orFail('placeOrder', real.placeOrder),
      openPayment: orFail('openPayment', real.openPayment),
      cancelOrder: orFail('cancelOrder', real.cancelOrder),
      register: orFail('register', real.register),
    }),
  });
});
beforeEach(() => failing.clear());
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

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
    expect([again.status, again.body.data]).toMatchObject([200, { status: 'CANCELLED', refundStatus: null }]);
    expect(await ordersOf(ada.buyer.id)).toMatchObject([{ status: 'CANCELLED' }]);
    expect((await cancel(v7())).body.error.code).toBe('CANNOT_CANCEL');
  });

  test('the same key then registers the account', async () => {
    const person = newcomer();
    const key = v7();
    const register = () => world.http.post('/api/v1/auth/register').set('Idempotency-Key', key).send(person);
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

import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { execute, rows } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { eventually } from '../../../support/checks/eventually';
import { make } from '../../../support/builders/make';
import { orderRow } from '../../../support/builders/sandbox';
import { shopper } from '../../../support/builders/shop';
import { signIn } from '../../../support/builders/sign-in';
import { startWorld, type World } from '../../../support/worlds/world';
import { returning, staff } from '../../orders/returning';
import { outcomeOf } from '../admin-world';

let world: World;
let clerk: Awaited<ReturnType<typeof staff>>;
beforeAll(async () => {
  world = await startWorld();
  clerk = await staff(world);
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

const refund = async (
  orderId: string,
  body: object,
  { token = clerk.token, key }: { token?: string; key?: string } = {},
): Promise<Response> => {
  const request = world.http.post(`/api/v1/admin/orders/${orderId}/refunds`).auth(token, { type: 'bearer' });
  if (key) void request.set('Idempotency-Key', key);
  return request.send({ reason: 'The parcel came late.', ...body });
};

test('an amount of an order by card: on its way at once, through its provider', async () => {
  const { orderId } = await returning(world, { method: 'CARD', to: 'SHIPPED' });
  const { status, body } = await refund(orderId, { amount: 12.34 });
  expect(status).toBe(201);
  expect(body.data).toEqual({ refundRequestId: expect.any(String), status: 'PROCESSING' });
  const process = world.temporal.workflow.getHandle(`refund:${body.data.refundRequestId}`);
  expect(await process.result()).toBe('COMPLETED');
  expect((await orderRow(world, orderId)).status).toBe('SHIPPED');
});

test('units, then the shipping: a full refund makes the order REFUNDED and ends its fulfilment', async () => {
  const { orderId, itemIds } = await returning(world, { to: null });
  const items = [2, 1].map((quantity, index) => ({ itemId: itemIds[index], quantity }));
  expect((await refund(orderId, { items })).body.data.status).toBe('COMPLETED');
  expect((await refund(orderId, { includeShipping: true })).body.data.status).toBe('COMPLETED');
  expect(await orderRow(world, orderId)).toEqual({ status: 'REFUNDED', paymentStatus: 'REFUNDED' });
  expect(await world.temporal.workflow.getHandle(`fulfilment:${orderId}`).result()).toBe('REFUNDED');
});

test('under its key it is one refund; twins at once are one too', async () => {
  const { orderId } = await returning(world);
  const key = randomUUID();
  const first = await refund(orderId, { amount: 1 }, { key });
  const again = await refund(orderId, { amount: 1 }, { key });
  expect([again.status, again.body]).toEqual([201, first.body]);
  const twinKey = randomUUID();
  const twins = await Promise.all([1, 2].map(() => refund(orderId, { amount: 2 }, { key: twinKey })));
  expect(twins.map(outcomeOf)).toContain('201');
  const kept = await rows(world.db, 'SELECT 1 FROM refund_requests WHERE order_id = $1', [orderId]);
  expect(kept).toHaveLength(2);
});

test.each([
  [{}, ['amount']],
  [{ amount: 1, items: [{ itemId: randomUUID(), quantity: 1 }] }, ['amount']],
  [{ includeShipping: false }, ['amount']],
  [{ amount: 0 }, ['amount']],
  [{ amount: 65.01 }, ['amount']],
  [{ items: [] }, ['items']],
  [{ items: [{ itemId: randomUUID(), quantity: 1 }] }, ['items.0.itemId']],
  [{ amount: 1, reason: '' }, ['reason']],
])('VALIDATION_ERROR: %j', async (body, fields) => {
  const { orderId } = await returning(world);
  const answer = await refund(orderId, body);
  expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
  expect(Object.keys(answer.body.error.details)).toEqual(fields);
});

test('CANNOT_REFUND: an unpaid order', async () => {
  const product = await make.product(world.db);
  const ada = await shopper(world, [{ productId: product.id }]);
  const { orderId } = await ada.order();
  expect(outcomeOf(await refund(orderId, { amount: 1 }))).toBe('400 CANNOT_REFUND');
});

test('REFUND_ALREADY_REQUESTED: while a request of the buyer is open', async () => {
  const { orderId, ask } = await returning(world);
  await ask();
  expect(outcomeOf(await refund(orderId, { amount: 1 }))).toBe('409 REFUND_ALREADY_REQUESTED');
});

test('ORDER_NOT_FOUND: there is none', async () => {
  expect(outcomeOf(await refund(randomUUID(), { amount: 1 }))).toBe('404 ORDER_NOT_FOUND');
});

test('FORBIDDEN: an own order', async () => {
  const { ada, orderId } = await returning(world);
  await execute(world.db, `UPDATE users SET roles = '{USER,ADMIN}' WHERE id = $1`, [ada.buyer.id]);
  const token = await signIn(world, ada.buyer);
  expect(outcomeOf(await refund(orderId, { amount: 1 }, { token }))).toBe('403 FORBIDDEN');
  await eventually(async () => expect((await orderRow(world, orderId)).status).toBe('DELIVERED'));
});

import { randomUUID } from 'node:crypto';
import { firstRow } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { orderSteps, placedOrder, orderCommand } from '../../../support/builders/ordering';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { recordsOf } from '../records';
import { simpleMethod, zone, zonesIn } from './methods';

let administration: AdminWorld;
beforeEach(async () => {
  administration = await startAdminWorld({ worker: false });
});
afterEach(() => administration.world.teardown());

const remove = (id: string, token?: string | null) =>
  administration.ask('delete', `/admin/shipping-methods/${id}`, undefined, token);

test('200, once: it is no longer offered, and its zones are free', async () => {
  const { body } = await administration.ask(
    'post',
    '/admin/shipping-methods',
    simpleMethod(zone('Home', ['DE'])),
  );
  const id = body.data.id as string;
  const answer = await remove(id);
  expect([answer.status, answer.body.data]).toEqual([
    200,
    { message: expect.any(String) as string, shippingMethodId: id },
  ]);
  expect(outcomeOf(await administration.ask('get', '/shipping/methods?country=DE', undefined, null))).toBe(
    '400 SHIPPING_NOT_AVAILABLE',
  );
  expect((await administration.ask('get', '/admin/shipping-methods')).body.data.methods).toEqual([]);
  expect(await zonesIn(administration.world.db)).toEqual([]);
  expect(outcomeOf(await remove(id))).toBe('404 SHIPPING_METHOD_NOT_FOUND');
  expect((await recordsOf(administration, 'shipping-method', id)).at(-1)).toMatchObject({
    actorId: administration.admin.id,
    action: 'shipping-method.delete',
    previous: { name: 'Standard', zones: [{ name: 'Home', countries: ['DE'] }], deletedAt: null },
    next: { zones: [] },
  });
});

test('a zone where another method goes stays', async () => {
  const method = simpleMethod(zone('Home', ['DE']));
  await administration.ask('post', '/admin/shipping-methods', method);
  const { body } = await administration.ask('post', '/admin/shipping-methods', method);
  await remove(body.data.id as string);
  expect(await zonesIn(administration.world.db)).toEqual(['Home: DE']);
});

test('an order keeps its method; no new order can use it', async () => {
  const { db } = administration.world;
  const { orderId } = await placedOrder(db);
  const order = await firstRow<{ methodId: string; name: string }>(
    db,
    'SELECT shipping_method_id AS method_id, shipping_method_name AS name FROM orders WHERE id = $1',
    [orderId],
  );
  await make.shippingMethod(db);
  expect(outcomeOf(await remove(order!.methodId))).toBe('200');
  const kept = await firstRow(
    db,
    `SELECT o.shipping_method_name AS name FROM orders o JOIN shipping_methods m ON m.id = o.shipping_method_id
      WHERE o.id = $1`,
    [orderId],
  );
  expect(kept).toEqual({ name: order!.name });
  const next = await orderCommand(db);
  const command = { ...next.command, shippingMethodId: order!.methodId, at: new Date().toISOString() };
  await expect(orderSteps(db).placeOrder({ ...next, ...command })).rejects.toMatchObject({
    type: 'INVALID_SHIPPING_METHOD',
  });
});

test('404 SHIPPING_METHOD_NOT_FOUND for one that is none', async () => {
  expect(outcomeOf(await remove(randomUUID()))).toBe('404 SHIPPING_METHOD_NOT_FOUND');
  expect(outcomeOf(await remove('x'))).toBe('400 VALIDATION_ERROR');
});

test('401 UNAUTHORIZED and 403 FORBIDDEN for who is no administrator', async () => {
  expect(outcomeOf(await remove(randomUUID(), null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await remove(randomUUID(), administration.tokens.user))).toBe('403 FORBIDDEN');
});

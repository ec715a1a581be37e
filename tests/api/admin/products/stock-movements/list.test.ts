import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { PROVIDER_QUEUES } from '../../../../../workers/queues';
import { firstRow } from '../../../../../db/sql/query';
import { given } from '../../../../support/builders/given';
import type { MadeOrder } from '../../../../support/builders/given/steps';
import { noteOf } from '../../../../support/builders/ordering';
import { approve, deliveredOrder, requestRefund } from '../../../../support/builders/refunding';
import { make } from '../../../../support/builders/make';
import { shopper } from '../../../../support/builders/shop';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { refusalOf } from '../product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ queues: ['interactive', ...PROVIDER_QUEUES] });
});
afterAll(() => adminWorld.world.teardown());

const history = (id: string, query = '', token?: string | null) =>
  adminWorld.ask('get', `/admin/products/${id}/stock-movements${query}`, undefined, token);

const Movements = z.strictObject({
  movements: z.array(
    z.strictObject({
      id: z.uuid(),
      kind: z.enum(['INITIAL', 'RESERVE', 'RELEASE', 'SELL', 'RESTOCK', 'ADJUST']),
      availableDelta: z.int(),
      reservedDelta: z.int(),
      reason: z.string(),
      actor: z.strictObject({ id: z.uuid(), email: z.string() }).nullable(),
      orderId: z.uuid().nullable(),
      orderNumber: z.string().nullable(),
      refundRequestId: z.uuid().nullable(),
      variantId: z.uuid().nullable(),
      createdAt: z.iso.datetime(),
    }),
  ),
});

test('200: all movements, newest first, which sum up to the stock', async () => {
  const { db, http } = adminWorld.world;
  const product = await make.product(db, { stock: 10 });
  const variant = await make.variant(db, product.id, { stock: 4 });
  const buyer = await shopper(adminWorld.world, [{ productId: product.id, quantity: 3 }], {
    walletMinor: 100_000,
  });
  const { orderId, orderNumber } = await buyer.order({ paymentMethod: 'CARD' });
  await buyer.post(`/orders/${orderId}/cancel`, { reason: 'Too many.' });
  await adminWorld.ask('patch', `/admin/products/${product.id}/variants/${variant.id}`, { stockQuantity: 1 });

  const { status, body } = await history(product.id);
  expect(status).toBe(200);
  const { movements } = Movements.parse(body.data);
  expect(
    movements.map(({ kind, availableDelta, reservedDelta, variantId }) => [
      kind,
      availableDelta,
      reservedDelta,
      variantId,
    ]),
  ).toEqual([
    ['ADJUST', -3, 0, variant.id],
    ['RELEASE', 3, -3, null],
    ['RESERVE', -3, 3, null],
    ['INITIAL', 4, 0, variant.id],
    ['INITIAL', 10, 0, null],
  ]);
  const { id, email } = adminWorld.admin;
  expect(movements).toMatchObject([
    { reason: 'New count', actor: { id, email }, orderId: null, orderNumber: null },
    { reason: 'No longer reserved, because the order was cancelled', actor: null, orderId, orderNumber },
    { reason: 'Reserved for an order', actor: null, orderId, orderNumber },
    { reason: 'First count', actor: null, orderId: null, orderNumber: null },
    { reason: 'First count', actor: null, orderId: null, orderNumber: null },
  ]);
  const shown = await http.get(`/api/v1/products/${product.id}`);
  const sum = movements.reduce((all, { availableDelta }) => all + availableDelta, 0);
  expect(shown.body.data.stockQuantity).toBe(sum);
  expect(body.meta.pagination).toMatchObject({ total: 5, page: 1, totalPages: 1 });
});

/** A movement of the first goods of an order. */
const movementOf = async ({ items }: MadeOrder, kind: string) => {
  const item = await firstRow<{ productId: string }>(
    adminWorld.world.db,
    'SELECT product_id FROM stock_items WHERE id = $1',
    [items[0]!.stockItemId],
  );
  return Movements.parse((await history(item!.productId)).body.data).movements.find(
    (movement) => movement.kind === kind,
  );
};

test('goods that come back by a refund name its order, the refund and who approved it', async () => {
  const { db } = adminWorld.world;
  const order = await deliveredOrder(db);
  const requested = await requestRefund(db, order);
  await approve(db, requested, {
    restock: true,
    noteId: await noteOf(db, adminWorld.admin.id, 'Came back.'),
    at: new Date(Date.now() + 1_000).toISOString(),
  });
  expect(await movementOf(order, 'RESTOCK')).toMatchObject({
    reason: 'Back in stock, because the goods were returned',
    actor: { id: adminWorld.admin.id, email: adminWorld.admin.email },
    orderId: order.orderId,
    orderNumber: expect.stringMatching(/^ORD-/) as string,
    refundRequestId: requested.refundRequestId,
  });
  expect(await movementOf(order, 'SELL')).toMatchObject({
    reason: 'Sold, because the order was paid',
    actor: null,
    orderId: order.orderId,
    refundRequestId: null,
  });
});

test('goods that come back by a cancellation name the order alone', async () => {
  const order = await given(adminWorld.world.db).order().paid().cancelled();
  expect(await movementOf(order, 'RESTOCK')).toMatchObject({
    reason: 'Back in stock, because the order was cancelled',
    actor: null,
    orderId: order.orderId,
    refundRequestId: null,
  });
});

test('in pages, for a deleted product too', async () => {
  const { db } = adminWorld.world;
  const { id } = await make.product(db, { stock: 1 });
  for (const stockQuantity of [2, 3, 4, 5])
    await adminWorld.ask('patch', `/admin/products/${id}`, { stockQuantity });
  expect((await adminWorld.ask('delete', `/admin/products/${id}`)).status).toBe(200);
  const seen = new Set<string>();
  for (const page of [1, 2, 3]) {
    const { body } = await history(id, `?page=${page}&pageSize=2`);
    expect(body.meta.pagination).toMatchObject({ total: 5, totalPages: 3, page });
    for (const movement of Movements.parse(body.data).movements) seen.add(movement.id);
  }
  expect(seen.size).toBe(5);
});

test('a product that was never counted has none', async () => {
  const { id } = await make.product(adminWorld.world.db, { stock: null });
  expect((await history(id)).body.data).toEqual({ movements: [] });
});

test('404 PRODUCT_NOT_FOUND', async () => {
  expect(outcomeOf(await history(randomUUID()))).toBe('404 PRODUCT_NOT_FOUND');
});

test.each([
  ['?pageSize=101', 'pageSize'],
  ['?page=0', 'page'],
])('400 VALIDATION_ERROR: %s', async (query, field) => {
  expect(refusalOf(await history(randomUUID(), query))).toEqual({
    status: 400,
    code: 'VALIDATION_ERROR',
    fields: [field],
  });
});

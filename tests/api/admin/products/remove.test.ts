import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute, firstRow } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { make } from '../../../support/builders/make';
import { shopper } from '../../../support/builders/shop';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { auditsOf, outcomes } from './product-requests';
import { held, waiting } from './held-locks';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld();
});
afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));
afterAll(() => adminWorld.world.teardown());

const remove = (id: string, token?: string | null) =>
  adminWorld.ask('delete', `/admin/products/${id}`, undefined, token);

const Deleted = z.strictObject({
  id: z.uuid(),
  status: z.literal('ARCHIVED'),
  deletedAt: z.iso.datetime(),
  deletedBy: z.uuid(),
});

test('200: it leaves the shop at once, with its variants; administrators see it archived; a cart with it cannot be ordered', async () => {
  const { db, http } = adminWorld.world;
  const product = await make.product(db);
  const variant = await make.variant(db, product.id);
  const buyer = await shopper(adminWorld.world, [
    { productId: product.id },
    { productId: product.id, variantId: variant.id },
  ]);
  expect((await http.get(`/api/v1/products/${product.id}`)).status).toBe(200);
  expect((await http.get('/api/v1/products')).text).toContain(product.id);

  const answer = await remove(product.id);
  expect(answer.status).toBe(200);
  expect(Deleted.parse(answer.body.data)).toMatchObject({ id: product.id, deletedBy: adminWorld.admin.id });

  expect((await http.get(`/api/v1/products/${product.id}`)).status).toBe(404);
  expect((await http.get('/api/v1/products')).text).not.toContain(product.id);
  for (const [status, listed] of [
    ['ARCHIVED', true],
    ['ALL', true],
    ['ACTIVE', false],
  ] as const)
    expect(
      (await adminWorld.ask('get', `/admin/products?status=${status}&pageSize=100`)).text.includes(
        product.id,
      ),
    ).toBe(listed);
  const checkout = await buyer.checkout();
  expect([outcomeOf(checkout), checkout.body.error.details.items]).toEqual([
    '400 ITEMS_UNAVAILABLE',
    expect.arrayContaining([product.sku, variant.sku]),
  ]);
  expect(await auditsOf(db, product.id)).toEqual([
    {
      action: 'product.delete',
      previous: { status: 'ACTIVE', deletedAt: null },
      next: { status: 'ARCHIVED', deletedAt: answer.body.data.deletedAt },
    },
  ]);
});

test('repeated: the same answer, and no second record', async () => {
  const { id } = await make.product(adminWorld.world.db);
  const [first, ...others] = await Promise.all([remove(id), remove(id), remove(id)]);
  for (const answer of others) expect(answer.body.data).toEqual(first.body.data);
  expect(await auditsOf(adminWorld.world.db, id)).toHaveLength(1);
});

test('404 PRODUCT_NOT_FOUND for an unknown id', async () => {
  expect(outcomeOf(await remove(randomUUID()))).toBe('404 PRODUCT_NOT_FOUND');
});

describe('400 HAS_PENDING_ORDERS', () => {
  test.each([
    ['PENDING_PAYMENT', '400 HAS_PENDING_ORDERS'],
    ['PAID', '400 HAS_PENDING_ORDERS'],
    ['PROCESSING', '400 HAS_PENDING_ORDERS'],
    ['SHIPPED', '200'],
    ['DELIVERED', '200'],
    ['CANCELLED', '200'],
    ['REFUNDED', '200'],
  ])('with an order that is %s: %s', async (status, expected) => {
    const { db } = adminWorld.world;
    const { id } = await make.product(db, { stock: null });
    const buyer = await shopper(adminWorld.world, [{ productId: id }]);
    const { orderId } = await buyer.order();
    const orderWith = async (as: string) => {
      await execute(db, 'UPDATE orders SET status = $2 WHERE id = $1', [orderId, as]);
    };
    await orderWith(status);
    expect(outcomeOf(await remove(id))).toBe(expected);
    await orderWith('PENDING_PAYMENT');
  });
});

describe('raced by a checkout', () => {
  test('that began before: it is waited for, and then the product stays', async () => {
    const { db } = adminWorld.world;
    const product = await make.product(db);
    const buyer = await shopper(adminWorld.world, [{ productId: product.id }]);
    const hold = await held(db, `SELECT id FROM stock_items WHERE id = '${product.stockItemId}' FOR UPDATE`);
    const ordering = buyer.checkout();
    await waiting(db, 1);
    const removing = remove(product.id);
    await waiting(db, 2);
    await hold.release();
    expect([outcomeOf(await ordering), outcomeOf(await removing)]).toEqual(['201', '400 HAS_PENDING_ORDERS']);
  });

  test('that begins later: it waits, and then the product is gone', async () => {
    const { db } = adminWorld.world;
    const product = await make.product(db, { stock: null });
    const buyer = await shopper(adminWorld.world, [{ productId: product.id }]);
    // The audit record is the deletion's last statement.
    const hold = await held(db, 'SELECT pg_advisory_xact_lock(7310212)');
    const removing = remove(product.id);
    await waiting(db, 1);
    const ordering = buyer.checkout();
    await waiting(db, 2);
    await hold.release();
    expect([outcomeOf(await removing), outcomeOf(await ordering)]).toEqual(['200', '400 ITEMS_UNAVAILABLE']);
  });

  test('many at once, in any order', async () => {
    const { db } = adminWorld.world;
    const goods = [await make.product(db), await make.product(db, { stock: null }), await make.product(db)];
    const buyers = [];
    for (const { id } of [...goods, ...goods])
      buyers.push(await shopper(adminWorld.world, [{ productId: id }]));
    const [ordered, removed] = await Promise.all([
      Promise.all(buyers.map((buyer) => buyer.checkout())),
      Promise.all(goods.map(({ id }) => remove(id))),
    ]);
    for (const [i, { id }] of goods.entries()) {
      const orders = await firstRow<{ n: number }>(
        db,
        'SELECT count(*)::int AS n FROM order_items WHERE product_id = $1',
        [id],
      );
      const gone = removed[i]!.status === 200;
      const placed = [ordered[i]!, ordered[i + 3]!];
      expect([outcomeOf(removed[i]!), orders!.n]).toEqual(
        gone ? ['200', 0] : ['400 HAS_PENDING_ORDERS', placed.filter(({ status }) => status === 201).length],
      );
      if (gone) expect(outcomes(placed)).toEqual({ ITEMS_UNAVAILABLE: 2 });
    }
  });
});

test('401 UNAUTHORIZED and 403 FORBIDDEN', async () => {
  const { id } = await make.product(adminWorld.world.db);
  expect(outcomeOf(await remove(id, null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await remove(id, adminWorld.tokens.user))).toBe('403 FORBIDDEN');
});

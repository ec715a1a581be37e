import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute, firstRow } from '../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../workers/queues';
import { make } from '../../../support/builders/make';
import { shopper } from '../../../support/builders/shop';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { refusalOf, auditsOf, outcomes } from './product-requests';
import { held, waiting } from '../../../support/checks/held-locks';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ queues: ['interactive', ...PROVIDER_QUEUES] });
});
afterAll(() => adminWorld.world.teardown());

describe('GET /admin/products', () => {
  const list = (query = '', token?: string | null) =>
    adminWorld.ask('get', `/admin/products${query}`, undefined, token);
  const listed = async (query: string) => {
    const { status, body } = await list(query);
    expect(status).toBe(200);
    return Listed.parse(body.data).products;
  };
  const names = async (query: string) => (await listed(query)).map(({ name }) => name);

  const Listed = z.strictObject({
    products: z.array(
      z.strictObject({
        id: z.uuid(),
        name: z.string(),
        sku: z.string(),
        status: z.string(),
        price: z.number(),
        compareAtPrice: z.number().nullable(),
        stockQuantity: z.number().nullable(),
        category: z.string().nullable(),
        ordersCount: z.int(),
        totalRevenue: z.number(),
        commissionPercentage: z.number(),
        createdAt: z.iso.datetime(),
        updatedAt: z.iso.datetime(),
      }),
    ),
  });

  test('200: products as visitors see them, with their orders and revenue', async () => {
    const { db } = adminWorld.world;
    const category = await make.category(db, { name: 'Kitchen' });
    const product = await make.product(db, {
      name: 'Sold kettle',
      categoryId: category.id,
      compareAtPriceMinor: 3_000,
      stock: 10,
    });
    await make.variant(db, product.id, { stock: 4 });
    const coupon = await make.coupon(db, { percentageBp: 1_000 });
    const buyer = await shopper(adminWorld.world, [{ productId: product.id, quantity: 2 }], {
      walletMinor: 100_000,
    });
    await buyer.order({ paymentMethod: 'BALANCE', couponCodes: [coupon.code] });
    await buyer.post('/cart/items', { productId: product.id, quantity: 1 });
    await buyer.order({ paymentMethod: 'CARD' });

    await eventually(async () => {
      const [row] = await listed('?search=sold+kettle');
      expect(row).toMatchObject({
        id: product.id,
        sku: product.sku,
        status: 'ACTIVE',
        price: 25,
        compareAtPrice: 30,
        stockQuantity: 11,
        category: 'Kitchen',
        ordersCount: 2,
        totalRevenue: 45,
        commissionPercentage: 10,
      });
    });
  });

  describe('filters', () => {
    const category = { id: '', below: '' };
    beforeAll(async () => {
      const { db } = adminWorld.world;
      category.id = (await make.category(db)).id;
      category.below = (await make.category(db, { parentId: category.id, isActive: false })).id;
      const on = (name: string, fields: object = {}) =>
        make.product(db, { name: `Filter ${name}`, ...fields });
      await on('active', { categoryId: category.id });
      await on('draft', { status: 'DRAFT', categoryId: category.below });
      await on('archived', { status: 'ARCHIVED', sku: 'FILTER_100%' });
      await on('set out', { status: 'OUT_OF_STOCK' });
      await on('run out', { stock: 0 });
      const gone = await on('deleted');
      await adminWorld.ask('delete', `/admin/products/${gone.id}`);
      const withVariant = await on('variant only', { stock: 0 });
      await make.variant(db, withVariant.id, { stock: 1 });
      await execute(db, `UPDATE products SET created_at = '2026-01-01' WHERE name LIKE 'Filter %'`);
    });

    test.each<[string, string[]]>([
      ['', ['active', 'archived', 'deleted', 'draft', 'run out', 'set out', 'variant only']],
      ['&status=ALL', ['active', 'archived', 'deleted', 'draft', 'run out', 'set out', 'variant only']],
      ['&status=ACTIVE', ['active', 'variant only']],
      ['&status=DRAFT', ['draft']],
      ['&status=ARCHIVED', ['archived', 'deleted']],
      ['&status=OUT_OF_STOCK', ['run out', 'set out']],
    ])('%p', async (query, expected) => {
      const found = await names(`?search=FILTER%20${query}&pageSize=100`);
      expect(found.map((name) => name.replace('Filter ', '')).sort()).toEqual(expected);
    });

    test('a category with all below it, inactive ones too', async () => {
      expect((await names(`?categoryId=${category.id}`)).sort()).toEqual(['Filter active', 'Filter draft']);
      expect(await names(`?categoryId=${category.below}`)).toEqual(['Filter draft']);
    });

    test('a search finds parts of the name or SKU, and takes special characters literally', async () => {
      expect(await names('?search=_100%25')).toEqual(['Filter archived']);
      expect(await names('?search=' + encodeURIComponent("'; DROP TABLE products --"))).toEqual([]);
      expect(await names('?search=%5C')).toEqual([]);
    });

    test('pages never overlap, even if all were created at the same time', async () => {
      const seen: string[] = [];
      for (const page of [1, 2, 3, 4]) {
        const { body } = await list(`?search=Filter%20&pageSize=2&page=${page}`);
        expect(body.meta.pagination).toMatchObject({ total: 7, totalPages: 4, page, pageSize: 2 });
        seen.push(...(body.data.products as { id: string }[]).map(({ id }) => id));
      }
      expect([seen.length, new Set(seen).size]).toEqual([7, 7]);
    });
  });

  test.each([
    ['pageSize=101', 'pageSize'],
    ['pageSize=0', 'pageSize'],
    ['page=0', 'page'],
    ['status=GONE', 'status'],
    ['categoryId=x', 'categoryId'],
    [`search=${'x'.repeat(101)}`, 'search'],
    ['search=%00', 'search'],
  ])('400 VALIDATION_ERROR: %s', async (query, field) => {
    expect(refusalOf(await list(`?${query}`))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: [field],
    });
  });
});

describe('DELETE /admin/products/:id', () => {
  afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));

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
      const hold = await held(
        db,
        `SELECT id FROM stock_items WHERE id = '${product.stockItemId}' FOR UPDATE`,
      );
      const ordering = buyer.checkout();
      await waiting(db, 1);
      const removing = remove(product.id);
      await waiting(db, 2);
      await hold.release();
      expect([outcomeOf(await ordering), outcomeOf(await removing)]).toEqual([
        '201',
        '400 HAS_PENDING_ORDERS',
      ]);
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
      expect([outcomeOf(await removing), outcomeOf(await ordering)]).toEqual([
        '200',
        '400 ITEMS_UNAVAILABLE',
      ]);
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
          gone
            ? ['200', 0]
            : ['400 HAS_PENDING_ORDERS', placed.filter(({ status }) => status === 201).length],
        );
        if (gone) expect(outcomes(placed)).toEqual({ ITEMS_UNAVAILABLE: 2 });
      }
    });
  });
});

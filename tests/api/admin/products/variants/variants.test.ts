import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { execute } from '../../../../../db/sql/query';
import { PROVIDER_QUEUES } from '../../../../../workers/queues';
import { violations } from '../../../../support/checks/violations';
import { make } from '../../../../support/builders/make';
import { shopper } from '../../../../support/builders/shop';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { auditsOf, movementsOf, refusalOf, outcomes } from '../product-requests';
import { held, waiting } from '../../../../support/checks/held-locks';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ queues: ['interactive', ...PROVIDER_QUEUES] });
});
afterAll(() => adminWorld.world.teardown());
afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));

describe('POST /admin/products/:id/variants', () => {
  const add = (id: string, body: object, token?: string | null) =>
    adminWorld.ask('post', `/admin/products/${id}/variants`, body, token);
  const shop = async (id: string) => (await adminWorld.world.http.get(`/api/v1/products/${id}`)).body.data;

  const Variant = z.strictObject({
    id: z.uuid(),
    productId: z.uuid(),
    name: z.string(),
    sku: z.string(),
    price: z.number(),
    stockQuantity: z.number().nullable(),
    attributes: z.record(z.string(), z.string()),
    updatedAt: z.iso.datetime(),
    updatedBy: z.uuid(),
  });

  test('201: it is in the shop at once, after the others, with a stock and a record of its own', async () => {
    const product = await make.product(adminWorld.world.db, { stock: 5 });
    await shop(product.id);
    const answer = await add(product.id, {
      sku: 'VARIANT-BLUE',
      price: 29.9,
      attributes: { colour: 'blue', size: '1 l' },
      stockQuantity: 3,
    });
    expect(answer.status).toBe(201);
    const data = Variant.parse(answer.body.data);
    expect(data).toMatchObject({
      productId: product.id,
      name: 'blue / 1 l',
      sku: 'VARIANT-BLUE',
      price: 29.9,
      stockQuantity: 3,
      updatedBy: adminWorld.admin.id,
    });
    await add(product.id, { sku: 'VARIANT-PLAIN', name: 'Plain' });
    expect(await shop(product.id)).toMatchObject({
      stockQuantity: 8,
      variants: [
        {
          id: data.id,
          name: 'blue / 1 l',
          price: 29.9,
          stockQuantity: 3,
          attributes: { colour: 'blue', size: '1 l' },
        },
        { name: 'Plain', sku: 'VARIANT-PLAIN', price: 25, stockQuantity: 0, attributes: {} },
      ],
    });
    expect(await movementsOf(adminWorld.world.db, product.id, data.id)).toMatchObject([
      { kind: 'INITIAL', availableDelta: 3 },
    ]);
    expect((await auditsOf(adminWorld.world.db, product.id))[0]).toMatchObject({
      action: 'product.add-variant',
      previous: null,
      next: { id: data.id, sku: 'VARIANT-BLUE', priceMinor: 2990, stockQuantity: 3 },
    });
  });

  test('its stock is not shown if that of the product is not tracked; without a name, its SKU is the name', async () => {
    const { id } = await make.product(adminWorld.world.db, { stock: null });
    const { body } = await add(id, { sku: 'NAMELESS', stockQuantity: 3 });
    expect(body.data).toMatchObject({ name: 'NAMELESS', stockQuantity: null });
  });

  test('the same request sent twice adds one', async () => {
    const { id } = await make.product(adminWorld.world.db);
    const send = () =>
      adminWorld.world.http
        .post(`/api/v1/admin/products/${id}/variants`)
        .auth(adminWorld.tokens.admin, { type: 'bearer' })
        .set('idempotency-key', `variant-of-${id}`)
        .send({ sku: 'ONCE' });
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect((await shop(id)).variants).toHaveLength(1);
  });

  test('at most 100 for each product', async () => {
    const { id } = await make.product(adminWorld.world.db);
    for (let i = 0; i < 100; i++) await make.variant(adminWorld.world.db, id, { stock: 0 });
    expect(refusalOf(await add(id, { sku: 'ONE-TOO-MANY' }))).toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  test('409 SKU_ALREADY_EXISTS', async () => {
    const product = await make.product(adminWorld.world.db);
    expect(refusalOf(await add(product.id, { sku: product.sku }))).toEqual({
      status: 409,
      code: 'SKU_ALREADY_EXISTS',
      fields: ['sku'],
    });
  });

  test('404 PRODUCT_NOT_FOUND', async () => {
    expect(outcomeOf(await add(randomUUID(), { sku: 'NOWHERE' }))).toBe('404 PRODUCT_NOT_FOUND');
  });

  test.each<[string, object]>([
    ['sku', {}],
    ['price', { price: -1 }],
    ['price', { price: '9' }],
    ['name', { name: '' }],
    ['attributes', { attributes: [] }],
  ])('400 VALIDATION_ERROR: %s in %p', async (field, body) => {
    const { id } = await make.product(adminWorld.world.db);
    const sent = field === 'sku' ? body : { sku: 'WRONG', ...body };
    expect(refusalOf(await add(id, sent))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: [field],
    });
  });
});

describe('PATCH /admin/products/:id/variants/:variantId', () => {
  const change = (id: string, variantId: string, body: object, token?: string | null) =>
    adminWorld.ask('patch', `/admin/products/${id}/variants/${variantId}`, body, token);
  const shop = async (id: string) => (await adminWorld.world.http.get(`/api/v1/products/${id}`)).body.data;

  test('200: the fields sent are changed, in the shop at once, and recorded', async () => {
    const { db } = adminWorld.world;
    const product = await make.product(db);
    const variant = await make.variant(db, product.id, { name: 'Old', stock: 4 });
    await shop(product.id);
    const { status, body } = await change(product.id, variant.id, {
      name: 'New',
      price: 9.5,
      stockQuantity: 6,
    });
    expect(status).toBe(200);
    expect(body.data).toEqual({
      id: variant.id,
      productId: product.id,
      name: 'New',
      sku: variant.sku,
      price: 9.5,
      stockQuantity: 6,
      attributes: { size: 'M' },
      updatedAt: expect.any(String),
      updatedBy: adminWorld.admin.id,
    });
    expect(await shop(product.id)).toMatchObject({
      variants: [{ name: 'New', price: 9.5, stockQuantity: 6 }],
      updatedAt: body.data.updatedAt,
    });
    expect(await movementsOf(db, product.id, variant.id)).toMatchObject([
      { kind: 'INITIAL', availableDelta: 4 },
      { kind: 'ADJUST', availableDelta: 2 },
    ]);
    expect(await auditsOf(db, product.id)).toEqual([
      {
        action: 'product.update-variant',
        previous: { variantId: variant.id, name: 'Old', priceMinor: 2500, stockQuantity: 4 },
        next: { variantId: variant.id, name: 'New', priceMinor: 950, stockQuantity: 6 },
      },
    ]);
  });

  test('what is as productRequest already leaves no trace', async () => {
    const { db } = adminWorld.world;
    const { id } = await make.product(db);
    const variant = await make.variant(db, id, { stock: 4 });
    for (const body of [{}, { stockQuantity: 4, sku: variant.sku, attributes: { size: 'M' } }])
      expect((await change(id, variant.id, body)).status).toBe(200);
    expect(await auditsOf(db, id)).toEqual([]);
  });

  test('two administrators at once: neither change is lost', async () => {
    const { db } = adminWorld.world;
    const { id } = await make.product(db);
    const variant = await make.variant(db, id);
    const halves = Array.from({ length: 5 }, (_, i) => [
      change(id, variant.id, { price: 10 + i, name: `Name ${i}` }),
      change(
        id,
        variant.id,
        { stockQuantity: 20 + i, attributes: { size: `${i}` } },
        adminWorld.tokens.superAdmin,
      ),
    ]);
    expect(outcomes(await Promise.all(halves.flat()))).toEqual({ '200': 10 });
    const [kept] = (await shop(id)).variants;
    expect(kept.name).toBe(`Name ${kept.price - 10}`);
    expect(kept.attributes).toEqual({ size: `${kept.stockQuantity - 20}` });
  });

  test('409 SKU_ALREADY_EXISTS', async () => {
    const product = await make.product(adminWorld.world.db);
    const [one, other] = [
      await make.variant(adminWorld.world.db, product.id),
      await make.variant(adminWorld.world.db, product.id),
    ];
    for (const { sku } of [product, other])
      expect(outcomeOf(await change(product.id, one.id, { sku }))).toBe('409 SKU_ALREADY_EXISTS');
  });

  test('404 PRODUCT_NOT_FOUND and VARIANT_NOT_FOUND, of another product and of a deleted variant too', async () => {
    const { db } = adminWorld.world;
    const [product, other] = [await make.product(db), await make.product(db)];
    const variant = await make.variant(db, product.id);
    const gone = await make.variant(db, product.id);
    await adminWorld.ask('delete', `/admin/products/${product.id}/variants/${gone.id}`);
    expect(outcomeOf(await change(randomUUID(), variant.id, {}))).toBe('404 PRODUCT_NOT_FOUND');
    for (const [id, variantId] of [
      [product.id, randomUUID()],
      [other.id, variant.id],
      [product.id, gone.id],
    ] as const)
      expect(outcomeOf(await change(id, variantId, { price: 1 }))).toBe('404 VARIANT_NOT_FOUND');
  });

  test('200: no stock, as a product shows it whose stock is not tracked, changes nothing', async () => {
    const { id } = await make.product(adminWorld.world.db, { stock: null });
    const variant = await make.variant(adminWorld.world.db, id);
    const changed = await change(id, variant.id, { name: 'Named', stockQuantity: null });
    expect(changed.body.data).toMatchObject({ name: 'Named', stockQuantity: null });
  });

  test.each<[string, object]>([
    ['price', { price: null }],
    ['stockQuantity', { stockQuantity: -1 }],
    ['stockQuantity', { stockQuantity: null }],
    ['name', { name: ' ' }],
  ])('400 VALIDATION_ERROR: %s in %p', async (field, body) => {
    const { id } = await make.product(adminWorld.world.db);
    const variant = await make.variant(adminWorld.world.db, id);
    expect(refusalOf(await change(id, variant.id, body))).toEqual({
      status: 400,
      code: 'VALIDATION_ERROR',
      fields: [field],
    });
  });
});

describe('DELETE /admin/products/:id/variants/:variantId', () => {
  const remove = (id: string, variantId: string, token?: string | null) =>
    adminWorld.ask('delete', `/admin/products/${id}/variants/${variantId}`, undefined, token);
  const shop = async (id: string) => (await adminWorld.world.http.get(`/api/v1/products/${id}`)).body.data;

  /** A product with its own stock and a variant, and a buyer with the variant in the cart. */
  async function variantInCart({ stock = 100 }: { stock?: number } = {}) {
    const product = await make.product(adminWorld.world.db, { stock });
    const variant = await make.variant(adminWorld.world.db, product.id, { stock: 4 });
    const goods = { productId: product.id, variantId: variant.id };
    return { product, variant, goods, buyer: await shopper(adminWorld.world, [goods]) };
  }

  test('200: it leaves the shop and its stock counts at once; a cart with it cannot be ordered', async () => {
    const { product, variant, goods, buyer } = await variantInCart({ stock: 0 });
    expect(await shop(product.id)).toMatchObject({ stockQuantity: 4, status: 'ACTIVE' });

    const answer = await remove(product.id, variant.id);
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      id: variant.id,
      deletedAt: expect.any(String),
      deletedBy: adminWorld.admin.id,
    });
    expect(await shop(product.id)).toMatchObject({ stockQuantity: 0, status: 'OUT_OF_STOCK', variants: [] });
    const { body } = await adminWorld.world.http.get('/api/v1/products?status=OUT_OF_STOCK');
    expect(body.data.products.map(({ id }: { id: string }) => id)).toContain(product.id);

    expect(outcomeOf(await buyer.checkout())).toBe('400 ITEMS_UNAVAILABLE');
    expect(outcomeOf(await buyer.post('/cart/items', { ...goods, quantity: 1 }))).toBe(
      '404 VARIANT_NOT_FOUND',
    );
    expect((await buyer.get('/cart')).body.data.items[0].product.status).toBe('ARCHIVED');
    expect(await auditsOf(adminWorld.world.db, product.id)).toEqual([
      {
        action: 'product.delete-variant',
        previous: { variantId: variant.id, deletedAt: null },
        next: { variantId: variant.id, deletedAt: answer.body.data.deletedAt },
      },
    ]);
  });

  test('its SKU is free for another', async () => {
    const { product, variant } = await variantInCart();
    await remove(product.id, variant.id);
    const again = await adminWorld.ask('post', `/admin/products/${product.id}/variants`, {
      sku: variant.sku,
    });
    expect(again.status).toBe(201);
  });

  test('400 HAS_PENDING_ORDERS while an order that is not sent contains it', async () => {
    const { product, variant, buyer } = await variantInCart();
    const { orderId } = await buyer.order();
    const orderWith = async (as: string) => {
      await execute(adminWorld.world.db, 'UPDATE orders SET status = $2 WHERE id = $1', [orderId, as]);
    };
    expect(outcomeOf(await remove(product.id, variant.id))).toBe('400 HAS_PENDING_ORDERS');
    await orderWith('SHIPPED');
    expect(outcomeOf(await remove(product.id, variant.id))).toBe('200');
    await orderWith('PENDING_PAYMENT');
  });

  test('an order of the product itself does not prevent it', async () => {
    const { product, variant } = await variantInCart();
    await (await shopper(adminWorld.world, [{ productId: product.id }])).order();
    expect(outcomeOf(await remove(product.id, variant.id))).toBe('200');
  });

  describe('raced by a checkout', () => {
    test('that began before: it is waited for, and then the variant stays', async () => {
      const { product, variant, buyer } = await variantInCart();
      const hold = await held(
        adminWorld.world.db,
        `SELECT id FROM stock_items WHERE id = '${variant.stockItemId}' FOR UPDATE`,
      );
      const ordering = buyer.checkout();
      await waiting(adminWorld.world.db, 1);
      const removing = remove(product.id, variant.id);
      await waiting(adminWorld.world.db, 2);
      await hold.release();
      expect([outcomeOf(await ordering), outcomeOf(await removing)]).toEqual([
        '201',
        '400 HAS_PENDING_ORDERS',
      ]);
    });

    test('that begins later: it waits, and then the variant is gone', async () => {
      const { product, variant, buyer } = await variantInCart();
      const hold = await held(adminWorld.world.db, 'SELECT pg_advisory_xact_lock(7310212)');
      const removing = remove(product.id, variant.id);
      await waiting(adminWorld.world.db, 1);
      const ordering = buyer.checkout();
      await waiting(adminWorld.world.db, 2);
      await hold.release();
      expect([outcomeOf(await removing), outcomeOf(await ordering)]).toEqual([
        '200',
        '400 ITEMS_UNAVAILABLE',
      ]);
    });
  });

  test('404 PRODUCT_NOT_FOUND and VARIANT_NOT_FOUND', async () => {
    const { product, variant } = await variantInCart();
    expect(outcomeOf(await remove(randomUUID(), variant.id))).toBe('404 PRODUCT_NOT_FOUND');
    expect(outcomeOf(await remove(product.id, randomUUID()))).toBe('404 VARIANT_NOT_FOUND');
    const other = await make.product(adminWorld.world.db);
    expect(outcomeOf(await remove(other.id, variant.id))).toBe('404 VARIANT_NOT_FOUND');
    expect((await remove(product.id, variant.id)).status).toBe(200);
    expect(outcomeOf(await remove(product.id, variant.id))).toBe('404 VARIANT_NOT_FOUND');
  });
});

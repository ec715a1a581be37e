import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { rows } from '../../../../db/sql/query';
import { violations } from '../../../support/checks/violations';
import { make } from '../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { auditsOf, keptProduct, movementsOf, productRequest, outcomes, refusalOf } from './product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterAll(() => adminWorld.world.teardown());

describe('POST /admin/products', () => {
  afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));

  const create = (body: object) => adminWorld.ask('post', '/admin/products', body);
  const created = async (fields: Record<string, unknown> = {}) => {
    const { status, body } = await create(productRequest(fields));
    expect(status).toBe(201);
    return body.data as { id: string; slug: string };
  };

  const Created = z.strictObject({
    id: z.uuid(),
    name: z.string(),
    slug: z.string(),
    sku: z.string(),
    status: z.string(),
    createdAt: z.iso.datetime(),
    createdBy: z.uuid(),
  });

  test('201: every field is stored, recorded, and in the shop at once', async () => {
    const { db, http } = adminWorld.world;
    const category = await make.category(db);
    await http.get('/api/v1/products');
    const answer = await create({
      name: ' Enamel kettle ',
      description: 'Boils a litre in four minutes.',
      shortDescription: 'A kettle.',
      price: 24.5,
      compareAtPrice: 30,
      sku: 'KETTLE-1L',
      categoryId: category.id,
      status: 'ACTIVE',
      stockQuantity: 12,
      trackInventory: true,
      weight: 0.855,
      dimensions: { length: 22, width: 16.5, height: 25 },
      attributes: { material: 'steel', colour: 'blue' },
      tags: ['kitchen', 'new', 'kitchen'],
      commissionPercentage: 12.5,
      careerPointsPercentage: 150,
    });
    expect(answer.status).toBe(201);
    const data = Created.parse(answer.body.data);
    expect(data).toMatchObject({
      name: 'Enamel kettle',
      slug: 'enamel-kettle',
      sku: 'KETTLE-1L',
      status: 'ACTIVE',
      createdBy: adminWorld.admin.id,
    });

    const shown = await http.get(`/api/v1/products/${data.id}`);
    expect(shown.body.data).toMatchObject({
      name: 'Enamel kettle',
      slug: 'enamel-kettle',
      shortDescription: 'A kettle.',
      price: 24.5,
      compareAtPrice: 30,
      status: 'ACTIVE',
      stockQuantity: 12,
      trackInventory: true,
      weight: 0.855,
      dimensions: { length: 22, width: 16.5, height: 25 },
      attributes: { material: 'steel', colour: 'blue' },
      tags: ['kitchen', 'new'],
      commissionPercentage: 12.5,
      careerPointsPercentage: 150,
      category: { id: category.id },
    });
    const listed = await http.get('/api/v1/products');
    expect(listed.body.data.products[0].id).toBe(data.id);
    expect(await movementsOf(db, data.id)).toMatchObject([{ kind: 'INITIAL', availableDelta: 12 }]);
    expect(await auditsOf(db, data.id)).toMatchObject([
      {
        action: 'product.create',
        previous: null,
        next: { name: 'Enamel kettle', slug: 'enamel-kettle', priceMinor: 2450, stockQuantity: 12 },
      },
    ]);
  });

  describe('stock', () => {
    test.each<[Record<string, unknown>, unknown, unknown]>([
      [{}, null, 'ACTIVE'],
      [{ trackInventory: true }, 0, 'OUT_OF_STOCK'],
      [{ stockQuantity: 0 }, 0, 'OUT_OF_STOCK'],
      [{ stockQuantity: 3 }, 3, 'ACTIVE'],
      [{ stockQuantity: 3, trackInventory: false }, null, 'ACTIVE'],
    ])('%p is shown as %p, %p', async (fields, stockQuantity, status) => {
      const { id } = await created(fields);
      const { body } = await adminWorld.world.http.get(`/api/v1/products/${id}`);
      expect(body.data).toMatchObject({ stockQuantity, status });
    });
  });

  test('the same request sent twice makes one product, and one record', async () => {
    const request = productRequest({ stockQuantity: 4 });
    const send = () =>
      adminWorld.world.http
        .post('/api/v1/admin/products')
        .auth(adminWorld.tokens.admin, { type: 'bearer' })
        .set('idempotency-key', `make-${String(request['sku'])}`)
        .send(request);
    const [first, second] = [await send(), await send()];
    expect([first.status, second.status, second.headers['idempotent-replayed']]).toEqual([201, 201, 'true']);
    expect(second.body).toEqual(first.body);
    expect(await auditsOf(adminWorld.world.db, first.body.data.id as string)).toHaveLength(1);
  });

  test('fields that cannot be set are ignored', async () => {
    const smuggled = {
      id: randomUUID(),
      slug: 'smuggled',
      ratings: [0, 0, 0, 0, 9],
      unitsSold90d: 9,
      currency: 'EUR',
    };
    const { id, slug } = await created(smuggled);
    expect([id === smuggled.id, slug === 'smuggled']).toEqual([false, false]);
    expect(await keptProduct(adminWorld.world.db, id)).toMatchObject({
      ratings: [0, 0, 0, 0, 0],
      unitsSold90d: 0,
      currency: 'USD',
    });
  });
});

describe('names of new products', () => {
  const create = (body: object, token?: string | null) =>
    adminWorld.ask('post', '/admin/products', body, token);
  const created = async (fields: Record<string, unknown> = {}) => {
    const { status, body } = await create(productRequest(fields));
    expect(status).toBe(201);
    return body.data as { id: string; slug: string };
  };

  describe('slugs', () => {
    test('are numbered for equal names, even for names that end with a number', async () => {
      const slugs: string[] = [];
      for (const name of ['Desk lamp', 'Desk  Lamp!', 'Desk lamp 2', 'Desk lamp', 'Desk lamp 3'])
        slugs.push((await created({ name })).slug);
      expect(slugs).toEqual(['desk-lamp', 'desk-lamp-2', 'desk-lamp-2-2', 'desk-lamp-3', 'desk-lamp-3-2']);
    });

    test('20 products of one name at once get 20 slugs', async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, i) =>
          create(productRequest({ name: i % 2 ? 'Crowded shelf' : 'Crowded shelf 2' })),
        ),
      );
      expect(outcomes(answers)).toEqual({ '201': 20 });
      const slugs = answers.map(({ body }) => (body.data as { slug: string }).slug);
      expect(new Set(slugs).size).toBe(20);
      for (const slug of slugs) expect(slug).toMatch(/^crowded-shelf(-\d+){0,2}$/);
    });

    test('after a hundred products of one name, slugs are no longer numbered', async () => {
      await rows(
        adminWorld.world.db,
        `INSERT INTO products (id, name, slug, sku, description, price_minor, status, commission_bp, career_points_bp,
         created_at, updated_at)
       SELECT gen_random_uuid(), 'Bolt', CASE n WHEN 1 THEN 'bolt' ELSE 'bolt-' || n END, 'BOLT-' || n, 'A bolt.', 1,
         'DRAFT', 0, 0, now(), now() FROM generate_series(1, 100) n RETURNING id`,
      );
      const { id, slug } = await created({ name: 'Bolt' });
      expect(slug).toBe(`bolt-${id}`);
    });
  });

  describe('409 SKU_ALREADY_EXISTS', () => {
    test('of a product and of a variant', async () => {
      const product = await make.product(adminWorld.world.db);
      const variant = await make.variant(adminWorld.world.db, product.id);
      for (const { sku } of [product, variant])
        expect(refusalOf(await create(productRequest({ sku })))).toEqual({
          status: 409,
          code: 'SKU_ALREADY_EXISTS',
          fields: ['sku'],
        });
    });

    test('10 with one SKU at once, product and variant: one gets it', async () => {
      const product = await make.product(adminWorld.world.db);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) =>
          i % 2
            ? create(productRequest({ sku: 'CONTESTED' }))
            : adminWorld.ask('post', `/admin/products/${product.id}/variants`, { sku: 'CONTESTED' }),
        ),
      );
      expect(outcomes(answers)).toEqual({ '201': 1, SKU_ALREADY_EXISTS: 9 });
    });

    test('the SKU of a deleted product stays taken', async () => {
      const { id } = await created({ sku: 'USED-BEFORE' });
      expect((await adminWorld.ask('delete', `/admin/products/${id}`)).status).toBe(200);
      expect(outcomeOf(await create(productRequest({ sku: 'USED-BEFORE' })))).toBe('409 SKU_ALREADY_EXISTS');
    });
  });
});

describe('POST /admin/products refuses', () => {
  const create = (body: object, token?: string | null) =>
    adminWorld.ask('post', '/admin/products', body, token);

  describe('400 VALIDATION_ERROR', () => {
    test.each<[string, unknown]>([
      ['name', undefined],
      ['name', '  '],
      ['description', undefined],
      ['price', undefined],
      ['price', -1],
      ['price', 1.005],
      ['price', 1e300],
      ['compareAtPrice', '30'],
      ['sku', ''],
      ['sku', 'x'.repeat(65)],
      ['categoryId', 'kitchen'],
      ['status', 'OUT_OF_STOCK'],
      ['status', undefined],
      ['stockQuantity', -1],
      ['stockQuantity', 1.5],
      ['stockQuantity', 10_000_000_000],
      ['trackInventory', 'yes'],
      ['weight', 0.0005],
      ['weight', 1e9],
      ['dimensions.height', { length: 1, width: 1 }],
      ['attributes', 'blue'],
      ['attributes', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`a${i}`, 'x']))],
      ['tags.0', ['a,b']],
      ['tags', Array.from({ length: 51 }, (_, i) => `t${i}`)],
      ['commissionPercentage', 101],
      ['commissionPercentage', undefined],
      ['careerPointsPercentage', 0.001],
      ['name', 'NUL\u0000'],
    ])('%s: %p', async (field, value) => {
      const answer = await create({ ...productRequest(), [field.split('.')[0]!]: value });
      expect(refusalOf(answer)).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: [field] });
    });

    test('UNKNOWN_CATEGORY: a category that does not exist', async () => {
      const answer = await create({ ...productRequest(), categoryId: randomUUID() });
      expect(outcomeOf(answer)).toBe('400 VALIDATION_ERROR');
      expect(answer.body.error).toMatchObject({
        reason: 'UNKNOWN_CATEGORY',
        details: {
          categoryId: ['is not a category'],
        },
      });
    });
  });
});

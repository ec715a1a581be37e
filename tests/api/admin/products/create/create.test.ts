import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { violations } from '../../../../support/checks/violations';
import { make } from '../../../../support/builders/make';
import { startAdminWorld, type AdminWorld } from '../../admin-world';
import { auditsOf, keptProduct, movementsOf, productRequest } from '../product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));
afterAll(() => adminWorld.world.teardown());

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

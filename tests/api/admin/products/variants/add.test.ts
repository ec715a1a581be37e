import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { violations } from '../../../../support/checks/violations';
import { make } from '../../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { auditsOf, movementsOf, refusalOf } from '../product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));
afterAll(() => adminWorld.world.teardown());

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
  ['stockQuantity', { stockQuantity: null }],
])('400 VALIDATION_ERROR: %s in %p', async (field, body) => {
  const { id } = await make.product(adminWorld.world.db);
  const sent = field === 'sku' ? body : { sku: 'WRONG', ...body };
  expect(refusalOf(await add(id, sent))).toEqual({ status: 400, code: 'VALIDATION_ERROR', fields: [field] });
});

test('401 UNAUTHORIZED and 403 FORBIDDEN', async () => {
  expect(outcomeOf(await add(randomUUID(), {}, null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await add(randomUUID(), {}, adminWorld.tokens.user))).toBe('403 FORBIDDEN');
});

import { randomUUID } from 'node:crypto';
import { violations } from '../../../../support/checks/violations';
import { make } from '../../../../support/builders/make';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { auditsOf, movementsOf, outcomes, refusalOf } from '../product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ worker: false });
});
afterEach(async () => expect(await violations(adminWorld.world.db)).toEqual([]));
afterAll(() => adminWorld.world.teardown());

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

test.each<[string, object]>([
  ['price', { price: null }],
  ['stockQuantity', { stockQuantity: -1 }],
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

test('401 UNAUTHORIZED and 403 FORBIDDEN', async () => {
  expect(outcomeOf(await change(randomUUID(), randomUUID(), {}, null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await change(randomUUID(), randomUUID(), {}, adminWorld.tokens.user))).toBe(
    '403 FORBIDDEN',
  );
});

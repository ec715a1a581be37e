import { randomUUID } from 'node:crypto';
import { ProductChange } from '../../../../../api/admin/products/product.request';
import { PROVIDER_QUEUES } from '../../../../../workers/queues';
import { make } from '../../../../support/builders/make';
import { shopper } from '../../../../support/builders/shop';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../../admin-world';
import { auditsOf, productRequest } from '../product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld({ queues: ['interactive', ...PROVIDER_QUEUES] });
});
afterAll(() => adminWorld.world.teardown());

const show = (id: string, token?: string | null) =>
  adminWorld.ask('get', `/admin/products/${id}`, undefined, token);
const shown = async (id: string) => {
  const { status, body } = await show(id);
  expect(status).toBe(200);
  return body.data as Record<string, unknown>;
};

const everything = (categoryId: string) =>
  productRequest({
    name: 'Draft lamp',
    shortDescription: 'A lamp.',
    compareAtPrice: 29.99,
    categoryId,
    status: 'DRAFT',
    stockQuantity: 7,
    weight: 0.855,
    dimensions: { length: 22, width: 16.5, height: 25 },
    attributes: { material: 'steel' },
    tags: ['kitchen', 'new'],
    commissionPercentage: 12.5,
  });

test('200: a draft that nobody sees, with every field that was sent, its variants and images', async () => {
  const { db, http } = adminWorld.world;
  const category = await make.category(db, { name: 'Hidden', slug: 'hidden', isActive: false });
  const request = everything(category.id);
  const created = await adminWorld.ask('post', '/admin/products', request);
  const id = created.body.data.id as string;
  const variant = await make.variant(db, id, { stock: 4 });
  const gone = await make.variant(db, id);
  await adminWorld.ask('delete', `/admin/products/${id}/variants/${gone.id}`);
  const imageId = await make.image(db, id);

  expect((await http.get(`/api/v1/products/${id}`)).status).toBe(404);
  expect(await shown(id)).toMatchObject({
    ...request,
    id,
    slug: 'draft-lamp',
    shopStatus: 'DRAFT',
    currency: 'USD',
    category: { id: category.id, name: 'Hidden', slug: 'hidden' },
    trackInventory: true,
    reservedQuantity: 0,
    images: [{ id: imageId, isPrimary: true }],
    variants: [{ id: variant.id, sku: variant.sku, stockQuantity: 4, reservedQuantity: 0 }],
    rating: { count: 0 },
    unitsSold90Days: 0,
    deletedAt: null,
  });
});

test('what is answered can be sent back as it is, and changes nothing', async () => {
  const { db } = adminWorld.world;
  const category = await make.category(db);
  const full = (await adminWorld.ask('post', '/admin/products', everything(category.id))).body.data;
  const bare = (await adminWorld.ask('post', '/admin/products', productRequest())).body.data;
  for (const { id } of [full, bare] as { id: string }[]) {
    const before = await shown(id);
    const names = Object.keys(ProductChange.shape);
    expect(Object.keys(before)).toEqual(expect.arrayContaining(names));
    const fields = Object.fromEntries(names.map((name) => [name, before[name]]));
    expect(outcomeOf(await adminWorld.ask('patch', `/admin/products/${id}`, fields))).toBe('200');
    expect(await shown(id)).toEqual(before);
    expect((await auditsOf(db, id)).map(({ action }) => action)).toEqual(['product.create']);
  }
});

test('an ACTIVE product that is sold out: as it was set, and as visitors see it, with the units that orders hold', async () => {
  const product = await make.product(adminWorld.world.db, { stock: 2 });
  const buyer = await shopper(adminWorld.world, [{ productId: product.id, quantity: 2 }]);
  await buyer.order();
  expect(await shown(product.id)).toMatchObject({
    status: 'ACTIVE',
    shopStatus: 'OUT_OF_STOCK',
    stockQuantity: 0,
    reservedQuantity: 2,
  });
});

test('a deleted product says when it was deleted; one whose stock is not tracked has no units', async () => {
  const { id } = await make.product(adminWorld.world.db, { stock: null });
  await make.variant(adminWorld.world.db, id);
  const { body } = await adminWorld.ask('delete', `/admin/products/${id}`);
  expect(await shown(id)).toMatchObject({
    status: 'ARCHIVED',
    shopStatus: 'ARCHIVED',
    deletedAt: body.data.deletedAt,
    stockQuantity: null,
    reservedQuantity: null,
    variants: [{ stockQuantity: null, reservedQuantity: null }],
  });
});

test('404 PRODUCT_NOT_FOUND for an unknown id', async () => {
  expect(outcomeOf(await show(randomUUID()))).toBe('404 PRODUCT_NOT_FOUND');
});

test('a draft that an administrator has never seen is corrected and published from the API alone', async () => {
  const { db, http } = adminWorld.world;
  const category = await make.category(db, { name: 'Lamps' });
  await adminWorld.ask('post', '/admin/products', { ...everything(category.id), name: 'Unfinished lamp' });

  const list = await adminWorld.ask('get', '/admin/products?status=DRAFT&search=unfinished');
  const id = list.body.data.products[0].id as string;
  const draft = await shown(id);
  expect(draft).toMatchObject({ description: 'Boils a litre in four minutes.', variants: [], images: [] });
  const corrected = await adminWorld.ask('patch', `/admin/products/${id}`, {
    description: 'Lights a whole room.',
    attributes: { ...(draft.attributes as object), bulb: 'E27' },
    shortDescription: null,
    status: 'ACTIVE',
  });
  expect(corrected.status).toBe(200);
  await adminWorld.ask('post', `/admin/products/${id}/variants`, {
    sku: 'LAMP-RED',
    name: 'Red',
    stockQuantity: 3,
  });
  const [variant] = (await shown(id)).variants as { id: string; stockQuantity: number }[];
  await adminWorld.ask('patch', `/admin/products/${id}/variants/${variant!.id}`, { stockQuantity: 5 });

  expect((await http.get(`/api/v1/products/${id}`)).body.data).toMatchObject({
    description: 'Lights a whole room.',
    shortDescription: null,
    attributes: { material: 'steel', bulb: 'E27' },
    stockQuantity: 12,
    variants: [{ id: variant!.id, name: 'Red', stockQuantity: 5 }],
  });
});

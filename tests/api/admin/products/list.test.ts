import { z } from 'zod';
import { execute } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { shopper } from '../../../support/builders/shop';
import { eventually } from '../../../support/checks/eventually';
import { startAdminWorld, outcomeOf, type AdminWorld } from '../admin-world';
import { refusalOf } from './product-requests';

let adminWorld: AdminWorld;
beforeAll(async () => {
  adminWorld = await startAdminWorld();
});
afterAll(() => adminWorld.world.teardown());

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
    const on = (name: string, fields: object = {}) => make.product(db, { name: `Filter ${name}`, ...fields });
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

test('401 UNAUTHORIZED and 403 FORBIDDEN', async () => {
  expect(outcomeOf(await list('', null))).toBe('401 UNAUTHORIZED');
  expect(outcomeOf(await list('', adminWorld.tokens.user))).toBe('403 FORBIDDEN');
});

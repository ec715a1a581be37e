import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { ProductList } from './product.shape';
import { ownShopWindow } from './shop-window';

const shop = ownShopWindow();
const day = (n: number): Date => new Date(Date.UTC(2026, 0, n));

beforeEach(async () => {
  await execute(shop.owner, 'TRUNCATE products, categories CASCADE');
});

test('200: every field of a product, as visitors see it', async () => {
  const category = await make.category(shop.db, { name: 'Audio', slug: 'audio' });
  const product = await make.product(shop.db, {
    name: 'Quiet Headphones',
    categoryId: category.id,
    priceMinor: 19_999,
    compareAtPriceMinor: 24_900,
    stock: 7,
    tags: ['wireless', 'new'],
    commissionBp: 1_250,
    careerPointsBp: 10_000,
    createdAt: day(2),
  });
  const second = await make.image(shop.db, product.id, { isPrimary: false, position: 0 });
  const primary = await make.image(shop.db, product.id, { position: 1, alt: 'From the side' });
  await execute(shop.db, `UPDATE products SET short_description = 'Quiet', ratings = '{1,0,0,1,4}'`);

  const { status, body } = await shop.get('/products');
  expect(status).toBe(200);
  const { data, meta } = ProductList.parse(body);
  expect(data.products).toEqual([
    {
      id: product.id,
      name: 'Quiet Headphones',
      slug: product.slug,
      description: 'What Quiet Headphones is for.',
      shortDescription: 'Quiet',
      sku: product.sku,
      price: 199.99,
      compareAtPrice: 249,
      currency: 'USD',
      status: 'ACTIVE',
      stockQuantity: 7,
      category: { id: category.id, name: 'Audio', slug: 'audio' },
      images: [
        expect.objectContaining({ id: primary, alt: 'From the side', isPrimary: true }),
        expect.objectContaining({ id: second, alt: null, isPrimary: false }),
      ],
      tags: ['wireless', 'new'],
      rating: { average: 4.17, count: 6 },
      commissionPercentage: 12.5,
      careerPointsPercentage: 100,
      createdAt: day(2).toISOString(),
    },
  ]);
  expect(meta.pagination).toEqual({
    total: 1,
    page: 1,
    pageSize: 20,
    totalPages: 1,
    hasNext: false,
    hasPrevious: false,
  });
});

test('200: fields that a product does not have are null, empty or 0', async () => {
  await make.product(shop.db, { stock: null });
  const { body } = await shop.get('/products');
  expect(ProductList.parse(body).data.products).toEqual([
    expect.objectContaining({
      shortDescription: null,
      compareAtPrice: null,
      stockQuantity: null,
      category: null,
      images: [],
      tags: [],
      rating: { average: 0, count: 0 },
    }),
  ]);
});

test('200: an empty shop is an empty page', async () => {
  const { body } = await shop.get('/products', { page: 3 });
  const { data, meta } = ProductList.parse(body);
  expect(data.products).toEqual([]);
  expect(meta.pagination).toMatchObject({ total: 0, totalPages: 0, hasNext: false });
});

test('a token makes no difference', async () => {
  await make.product(shop.db);
  await make.product(shop.db, { status: 'DRAFT' });
  const anonymous = await shop.get('/products');
  const administrator = await shop.getAs('0193b5f0-0000-7000-8000-000000000001:ADMIN', '/products');
  expect(administrator.status).toBe(200);
  expect(administrator.body).toEqual(anonymous.body);
});

describe('status', () => {
  beforeEach(async () => {
    await make.product(shop.db, { name: 'there' });
    await make.product(shop.db, { name: 'uncounted', stock: null });
    await make.product(shop.db, { name: 'run out', stock: 0 });
    await make.product(shop.db, { name: 'off', status: 'OUT_OF_STOCK', stock: 5 });
    await make.product(shop.db, { name: 'draft', status: 'DRAFT' });
    await make.product(shop.db, { name: 'archived', status: 'ARCHIVED' });
    const kinds = await make.product(shop.db, { name: 'one kind left', stock: 0 });
    await make.variant(shop.db, kinds.id, { stock: 0 });
    await make.variant(shop.db, kinds.id, { stock: 2 });
    const gone = await make.product(shop.db, { name: 'no kind left', stock: 0 });
    await make.variant(shop.db, gone.id, { stock: 0 });
    const { id } = await make.product(shop.db, { name: 'never counted', stock: null });
    await execute(shop.db, 'UPDATE products SET track_inventory = true WHERE id = $1', [id]);
  });

  test('visitors see products on sale and products out of stock', async () => {
    const { body } = await shop.get('/products', { sortBy: 'name' });
    const seen = ProductList.parse(body).data.products.map((product) => [
      product.name,
      product.status,
      product.stockQuantity,
    ]);
    expect(seen).toEqual([
      ['never counted', 'OUT_OF_STOCK', 0],
      ['no kind left', 'OUT_OF_STOCK', 0],
      ['off', 'OUT_OF_STOCK', 5],
      ['one kind left', 'ACTIVE', 2],
      ['run out', 'OUT_OF_STOCK', 0],
      ['there', 'ACTIVE', 100],
      ['uncounted', 'ACTIVE', null],
    ]);
  });

  test.each([
    ['ACTIVE', ['one kind left', 'there', 'uncounted']],
    ['OUT_OF_STOCK', ['never counted', 'no kind left', 'off', 'run out']],
  ])('%s is what people see, and so is the total', async (status, names) => {
    const { body } = await shop.get('/products', { status, sortBy: 'name' });
    const { data, meta } = ProductList.parse(body);
    expect(data.products.map(({ name }) => name)).toEqual(names);
    expect(data.products.every((product) => product.status === status)).toBe(true);
    expect(meta.pagination.total).toBe(names.length);
  });
});

test('unknown parameters are ignored', async () => {
  await make.product(shop.db, { name: 'a' });
  expect(await shop.names({ colour: 'red', limit: '-1', 'sortBy[]': 'x' })).toEqual(['a']);
});

test.each([
  ['page', '0'],
  ['page', 'two'],
  ['page', '1e3'],
  ['pageSize', '0'],
  ['pageSize', '101'],
  ['pageSize', ''],
  ['categoryId', 'audio'],
  ['categoryId', ''],
  ['status', 'DRAFT'],
  ['status', 'active'],
  ['minPrice', '-1'],
  ['minPrice', '1.234'],
  ['maxPrice', 'cheap'],
  ['maxPrice', ''],
  ['sortBy', 'rating'],
  ['sortOrder', 'up'],
  ['search', 'x'.repeat(201)],
  ['search', 'a\u0000b'],
  ['tags', 'a\u0000b'],
  ['tags', 'x'.repeat(1001)],
])('400 VALIDATION_ERROR names %s=%j', async (field, value) => {
  const { status, body } = await shop.get('/products', { [field]: value });
  expect(status).toBe(400);
  expect(body).toMatchObject({ success: false, error: { code: 'VALIDATION_ERROR' } });
  expect(Object.keys(body.error.details)).toEqual([field]);
});

import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { ProductList } from './product.shape';
import { ownShopWindow } from './shop-window';

const shop = ownShopWindow();

describe('GET /products', () => {
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
});

describe('filters', () => {
  beforeEach(async () => {
    await execute(shop.owner, 'TRUNCATE products, categories CASCADE');
  });

  test('categoryId: with subcategories at any depth, and without inactive ones', async () => {
    const top = await make.category(shop.db);
    const middle = await make.category(shop.db, { parentId: top.id });
    const bottom = await make.category(shop.db, { parentId: middle.id });
    const off = await make.category(shop.db, { parentId: top.id, isActive: false });
    const other = await make.category(shop.db);
    for (const [name, categoryId] of Object.entries({
      top: top.id,
      middle: middle.id,
      bottom: bottom.id,
      off: off.id,
      other: other.id,
      none: null,
    }))
      await make.product(shop.db, { name, categoryId });
    const names = (categoryId: string) => shop.names({ categoryId, sortBy: 'name' });
    expect(await names(top.id)).toEqual(['bottom', 'middle', 'top']);
    expect(await names(middle.id)).toEqual(['bottom', 'middle']);
    expect(await names(bottom.id.toUpperCase())).toEqual(['bottom']);
    expect(await names(off.id)).toEqual([]);
    expect(await names('0193b5f0-0000-7000-8000-000000000001')).toEqual([]);
    const { body } = await shop.get('/products', { sortBy: 'name' });
    expect(ProductList.parse(body).data.products.find(({ name }) => name === 'off')?.category).toBeNull();
  });

  test('categoryId: a cycle of categories, which would be a bug, still ends', async () => {
    const one = await make.category(shop.db);
    const two = await make.category(shop.db, { parentId: one.id });
    await execute(shop.db, 'UPDATE categories SET parent_id = $1 WHERE id = $2', [two.id, one.id]);
    const product = await make.product(shop.db, { name: 'ringed', categoryId: one.id });
    expect(await shop.names({ categoryId: two.id })).toEqual(['ringed']);
    expect((await shop.get(`/products/${product.id}`)).status).toBe(200);
  });

  test('minPrice and maxPrice: major units, both included', async () => {
    for (const priceMinor of [0, 999, 1_000, 1_001, 2_000])
      await make.product(shop.db, { name: String(priceMinor), priceMinor });
    const names = (query: Record<string, string>) => shop.names({ ...query, sortBy: 'price' });
    expect(await names({ minPrice: '10' })).toEqual(['1000', '1001', '2000']);
    expect(await names({ maxPrice: '10' })).toEqual(['0', '999', '1000']);
    expect(await names({ minPrice: '10.01', maxPrice: '19.99' })).toEqual(['1001']);
    expect(await names({ minPrice: '9.99', maxPrice: '9.99' })).toEqual(['999']);
    expect(await names({ maxPrice: '0' })).toEqual(['0']);
    expect(await names({ minPrice: '20', maxPrice: '10' })).toEqual([]);
  });

  test('tags: products with any of them, as whole tags', async () => {
    await make.product(shop.db, { name: 'a', tags: ['wireless', 'new'] });
    await make.product(shop.db, { name: 'b', tags: ['usb'] });
    await make.product(shop.db, { name: 'c', tags: [`o'clock {"x"}`] });
    await make.product(shop.db, { name: 'd' });
    const names = (tags: string) => shop.names({ tags, sortBy: 'name' });
    expect(await names('wireless')).toEqual(['a']);
    expect(await names('usb, new ,usb')).toEqual(['a', 'b']);
    expect(await names(`o'clock {"x"}`)).toEqual(['c']);
    expect(await names('wire')).toEqual([]);
    expect(await names(' , ')).toEqual(['a', 'b', 'c', 'd']);
  });

  test('filters combine', async () => {
    const { id: categoryId } = await make.category(shop.db);
    const wanted = { categoryId, priceMinor: 1_500, tags: ['usb'], description: 'A fine lamp.' };
    await make.product(shop.db, { ...wanted, name: 'wanted' });
    await make.product(shop.db, { ...wanted, categoryId: null });
    await make.product(shop.db, { ...wanted, priceMinor: 2_500 });
    await make.product(shop.db, { ...wanted, tags: [] });
    await make.product(shop.db, { ...wanted, stock: 0 });
    await make.product(shop.db, { ...wanted, description: 'A fine chair.' });
    const query = { categoryId, minPrice: 10, maxPrice: 20, tags: 'usb', search: 'lamp', status: 'ACTIVE' };
    const { body } = await shop.get('/products', query);
    const { data, meta } = ProductList.parse(body);
    expect(data.products.map(({ name }) => name)).toEqual(['wanted']);
    expect(meta.pagination.total).toBe(1);
  });
});

describe('pages', () => {
  const shop = ownShopWindow();
  const COUNT = 47;

  /** Few different values, so that ties are everywhere. */
  beforeAll(async () => {
    const { id: categoryId } = await make.category(shop.db);
    for (let n = 0; n < COUNT; n++) {
      await make.product(shop.db, {
        name: ['Alpha', 'beta', 'Gamma'][n % 3] ?? '',
        priceMinor: 1_000 * (n % 4),
        unitsSold90d: n % 5,
        createdAt: new Date(Date.UTC(2026, 0, 1 + (n % 2))),
        categoryId,
      });
    }
  });

  type Product = ReturnType<typeof ProductList.parse>['data']['products'][number];
  const KEYS: Record<string, (product: Product) => string | number> = {
    price: ({ price }) => price,
    name: ({ name }) => name.toLowerCase(),
    createdAt: ({ createdAt }) => createdAt,
  };

  async function allPages(query: Record<string, string | number>): Promise<Product[]> {
    const products: Product[] = [];
    for (let page = 1; ; page++) {
      const { body } = await shop.get('/products', { ...query, page, pageSize: 10 });
      const { data, meta } = ProductList.parse(body);
      expect(meta.pagination).toEqual({
        total: COUNT,
        page,
        pageSize: 10,
        totalPages: 5,
        hasNext: page < 5,
        hasPrevious: page > 1,
      });
      products.push(...data.products);
      if (!meta.pagination.hasNext) return products;
    }
  }

  const orders = ['price', 'name', 'createdAt', 'popularity'].flatMap((sortBy) =>
    ['asc', 'desc'].flatMap((sortOrder) => [
      { sortBy, sortOrder },
      { sortBy, sortOrder, search: 'for' },
    ]),
  );

  test.each(orders)('%p: pages hold every product once, sorted, equal ones by id', async (query) => {
    await execute(shop.db, `UPDATE products SET description = 'Good for all.'`);
    const products = await allPages(query);
    expect(new Set(products.map(({ id }) => id)).size).toBe(COUNT);
    const key = KEYS[query.sortBy];
    if (!key) return;
    const sorted = [...products].sort((one, two) => {
      const [a, b] = [key(one), key(two)];
      const byKey = a < b ? -1 : a > b ? 1 : one.id < two.id ? -1 : 1;
      return query.sortOrder === 'asc' ? byKey : -byKey;
    });
    expect(products.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
  });

  test('popularity: most units sold in 90 days first', async () => {
    const top = await make.product(shop.db, { name: 'Best', unitsSold90d: 1_000 });
    const least = async (query: object) =>
      (await shop.get('/products', { sortBy: 'popularity', pageSize: 1, ...query })).body.data.products[0].id;
    expect(await least({})).toBe(top.id);
    expect(await least({ sortOrder: 'asc' })).not.toBe(top.id);
    await execute(shop.db, `UPDATE products SET status = 'ARCHIVED' WHERE id = $1`, [top.id]);
  });

  test('by default newest first; without a direction, names and prices ascend', async () => {
    const ids = async (query: Record<string, string>) => (await allPages(query)).map(({ id }) => id);
    expect(await ids({})).toEqual(await ids({ sortBy: 'createdAt', sortOrder: 'desc' }));
    expect(await ids({ sortBy: 'createdAt' })).toEqual(await ids({}));
    expect(await ids({ sortBy: 'price' })).toEqual(await ids({ sortBy: 'price', sortOrder: 'asc' }));
    expect(await ids({ sortBy: 'name' })).toEqual(await ids({ sortBy: 'name', sortOrder: 'asc' }));
    expect(await ids({ sortBy: 'popularity' })).toEqual(
      await ids({ sortBy: 'popularity', sortOrder: 'desc' }),
    );
  });

  test('a page after the last is empty and still has the total', async () => {
    const { body } = await shop.get('/products', { page: 99, pageSize: 100 });
    const { data, meta } = ProductList.parse(body);
    expect(data.products).toEqual([]);
    expect(meta.pagination).toEqual({
      total: COUNT,
      page: 99,
      pageSize: 100,
      totalPages: 1,
      hasNext: false,
      hasPrevious: true,
    });
  });

  test('a page of many costs as many statements as a page of one: one', async () => {
    const statements = async (pageSize: number) => {
      const sent = jest.spyOn(shop.db.sequelize, 'query');
      try {
        await shop.get('/products', { pageSize });
        return sent.mock.calls.length;
      } finally {
        sent.mockRestore();
      }
    };
    expect([await statements(1), await statements(40)]).toEqual([1, 1]);
  });
});

import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { ProductList } from './product.shape';
import { ownShopWindow } from './shop-window';

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
  expect(await ids({ sortBy: 'popularity' })).toEqual(await ids({ sortBy: 'popularity', sortOrder: 'desc' }));
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

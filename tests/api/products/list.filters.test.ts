import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { ProductList } from './product.shape';
import { ownShopWindow } from './shop-window';

const shop = ownShopWindow();

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

import { z } from 'zod';
import { execute } from '../../../db/sql/query';
import { make } from '../../support/builders/make';
import { ProductList } from '../products/product.shape';
import { ownShopWindow } from '../products/shop-window';

const shop = ownShopWindow();

const Link = z.strictObject({ id: z.uuid(), name: z.string(), slug: z.string() });
/** Document 1 §2.5, exactly. */
const ShownCategory = z.strictObject({
  success: z.literal(true),
  data: z.strictObject({
    ...Link.shape,
    description: z.string().nullable(),
    imageUrl: z.string().nullable(),
    parent: Link.nullable(),
    breadcrumb: z.array(Link),
    children: z.array(Link.extend({ productCount: z.int() })),
    products: ProductList.shape.data.shape.products,
    filters: z.strictObject({
      priceRange: z.strictObject({ min: z.number(), max: z.number() }),
      tags: z.array(z.strictObject({ name: z.string(), count: z.int() })),
    }),
  }),
  meta: ProductList.shape.meta,
});

async function shown(id: string, query: Record<string, string | number> = {}) {
  const { status, body } = await shop.get(`/categories/${id}`, query);
  expect(status).toBe(200);
  return ShownCategory.parse(body);
}

const names = async (id: string, query: Record<string, string | number>) =>
  (await shown(id, query)).data.products.map(({ name }) => name);

type Category = Awaited<ReturnType<typeof make.category>>;
let audio: Category;
let speakers: Category;
let small: Category;
let hidden: Category;
let belowHidden: Category;

/** Audio › Speakers › Small ones, Headphones; Audio › Hidden › Below hidden. */
beforeAll(async () => {
  const { db } = shop;
  audio = await make.category(db, { name: 'Audio' });
  const headphones = await make.category(db, { name: 'Headphones', parentId: audio.id, position: 1 });
  speakers = await make.category(db, { name: 'Speakers', parentId: audio.id });
  small = await make.category(db, { name: 'Small ones', parentId: speakers.id });
  hidden = await make.category(db, { name: 'Hidden', parentId: audio.id, isActive: false });
  belowHidden = await make.category(db, { name: 'Below hidden', parentId: hidden.id });
  const add = (name: string, { id }: Category, fields: Parameters<typeof make.product>[1] = {}) =>
    make.product(db, { name, categoryId: id, ...fields });
  const day = (n: number) => new Date(Date.UTC(2026, 0, n));
  await add('b', audio, { priceMinor: 5_000, createdAt: day(4), unitsSold90d: 2, tags: ['usb', 'new'] });
  await add('c', speakers, { priceMinor: 1_050, createdAt: day(1), unitsSold90d: 9, tags: ['usb'] });
  await add('a', small, { priceMinor: 9_999, createdAt: day(3), tags: ['usb', 'usb', 'sale'], stock: 0 });
  await add('d', headphones, {
    priceMinor: 2_000,
    createdAt: day(2),
    unitsSold90d: 5,
    status: 'OUT_OF_STOCK',
  });
  await add('draft', small, { priceMinor: 1, tags: ['draft'], status: 'DRAFT' });
  await add('archived', small, { priceMinor: 99_999, tags: ['old'], status: 'ARCHIVED' });
  await add('hidden', hidden, { priceMinor: 2, tags: ['hidden'] });
  await add('below', belowHidden, { priceMinor: 3, tags: ['hidden'] });
});

test('200: every field, with subcategories and without what visitors do not see', async () => {
  await execute(
    shop.db,
    `UPDATE categories SET description = 'Loud', image_url = 'https://images.example.com/a.jpg' WHERE id = $1`,
    [audio.id],
  );
  const { data, meta } = await shown(audio.id);
  const { products, ...rest } = data;
  expect(rest).toEqual({
    ...audio,
    description: 'Loud',
    imageUrl: 'https://images.example.com/a.jpg',
    parent: null,
    breadcrumb: [audio],
    children: [
      { ...speakers, productCount: 2 },
      expect.objectContaining({ name: 'Headphones', productCount: 1 }),
    ],
    filters: {
      priceRange: { min: 10.5, max: 99.99 },
      tags: [
        { name: 'usb', count: 3 },
        { name: 'new', count: 1 },
        { name: 'sale', count: 1 },
      ],
    },
  });
  expect(products.map(({ name }) => name)).toEqual(['b', 'a', 'd', 'c']);
  expect(meta.pagination).toEqual({
    total: 4,
    page: 1,
    pageSize: 20,
    totalPages: 1,
    hasNext: false,
    hasPrevious: false,
  });
});

test('200 under its slug; 404 for an unknown one', async () => {
  expect((await shown(audio.slug)).data.id).toBe(audio.id);
  const unknown = await shop.get('/categories/no-such-category');
  expect([unknown.status, unknown.body.error.code]).toEqual([404, 'CATEGORY_NOT_FOUND']);
});

test('200: a category in the middle has its breadcrumb; its products are those of the list', async () => {
  const { data, meta } = await shown(small.id.toUpperCase());
  expect(data).toMatchObject({
    id: small.id,
    parent: speakers,
    breadcrumb: [audio, speakers, small],
    children: [],
    filters: { priceRange: { min: 99.99, max: 99.99 }, tags: [{ name: 'sale' }, { name: 'usb', count: 1 }] },
  });
  const { body } = await shop.get('/products', { categoryId: small.id });
  expect(body.data.products).toEqual(data.products);
  expect(body.meta).toEqual(meta);
  expect(data.products[0]).toMatchObject({ name: 'a', status: 'OUT_OF_STOCK', category: small });
});

test('200: without products, the page is empty and the price range 0 to 0', async () => {
  const { id } = await make.category(shop.db);
  const { data, meta } = await shown(id);
  expect(data).toMatchObject({ products: [], filters: { priceRange: { min: 0, max: 0 }, tags: [] } });
  expect(meta.pagination).toMatchObject({ total: 0, totalPages: 0 });
});

test('sorted as requested, by default in the usual direction', async () => {
  expect(await names(audio.id, { sortBy: 'price' })).toEqual(['c', 'd', 'b', 'a']);
  expect(await names(audio.id, { sortBy: 'price', sortOrder: 'desc' })).toEqual(['a', 'b', 'd', 'c']);
  expect(await names(audio.id, { sortBy: 'name' })).toEqual(['a', 'b', 'c', 'd']);
  expect(await names(audio.id, { sortBy: 'popularity' })).toEqual(['c', 'd', 'b', 'a']);
  expect(await names(audio.id, { sortBy: 'createdAt', sortOrder: 'asc' })).toEqual(['c', 'd', 'a', 'b']);
});

test('pages contain every product once; filters are of all products', async () => {
  const { filters } = (await shown(audio.id)).data;
  const found: string[] = [];
  for (let page = 1; page <= 4; page++) {
    const { data, meta } = await shown(audio.id, { page, pageSize: 1, sortBy: 'name' });
    found.push(...data.products.map(({ name }) => name));
    expect(data.filters).toEqual(filters);
    expect(meta.pagination).toMatchObject({ total: 4, page, totalPages: 4, hasNext: page < 4 });
  }
  expect(found).toEqual(['a', 'b', 'c', 'd']);
  expect((await shown(audio.id, { page: 9, pageSize: 100 })).data.products).toEqual([]);
});

test('of very many tags, the hundred most frequent ones are listed', async () => {
  const { id: categoryId } = await make.category(shop.db);
  const tags = Array.from({ length: 120 }, (_, n) => `tag${String(n).padStart(3, '0')}`);
  await make.product(shop.db, { categoryId, tags });
  await make.product(shop.db, { categoryId, tags: ['tag119'] });
  const shownTags = (await shown(categoryId)).data.filters.tags;
  expect(shownTags).toHaveLength(100);
  expect(shownTags.slice(0, 2)).toEqual([
    { name: 'tag119', count: 2 },
    { name: 'tag000', count: 1 },
  ]);
});

test('404 CATEGORY_NOT_FOUND for inactive categories, those below them, and unknown ids', async () => {
  for (const id of [hidden.id, belowHidden.id, '0193b5f0-0000-7000-8000-000000000001']) {
    const { status, body } = await shop.get(`/categories/${id}`);
    expect([status, body.error.code]).toEqual([404, 'CATEGORY_NOT_FOUND']);
    expect(await shop.names({ categoryId: id })).toEqual([]);
  }
  const { body } = await shop.get('/products', { search: 'below' });
  expect(body.data.products).toEqual([expect.objectContaining({ name: 'below', category: null })]);
});

test.each([
  ['id', 'x'.repeat(301), {}],
  ['pageSize', '', { pageSize: 101 }],
  ['pageSize', '', { pageSize: 0 }],
  ['page', '', { page: 0 }],
  ['sortBy', '', { sortBy: 'colour' }],
  ['sortOrder', '', { sortOrder: 'down' }],
])('400 VALIDATION_ERROR names %s', async (field, id, query) => {
  const { status, body } = await shop.get(`/categories/${id || audio.id}`, query);
  expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
    400,
    'VALIDATION_ERROR',
    [field],
  ]);
});

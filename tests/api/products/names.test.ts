import { make } from '../../support/builders/make';
import { ownShopWindow } from './shop-window';

const shop = ownShopWindow();

/** In the order in which people look for them. */
const NAMES = [
  '42 pencils',
  'Äpfel',
  'apple',
  'Apple',
  'Banana',
  'Café crème',
  'éclair',
  'Łódź lamp',
  'zebra',
  'Zoo',
  'Ελλάδα',
  'Ёлка',
  'Жук',
  'שלום',
  'قهوة',
  '사과',
  'りんご',
  '苹果',
];

beforeAll(async () => {
  const { id: categoryId } = await make.category(shop.db, { slug: 'all' });
  for (const name of NAMES.toReversed())
    await make.product(shop.db, { name, categoryId, description: 'A thing.' });
  for (const name of ['Zebra', 'Ábaco', 'banana', 'Ähre'])
    await make.category(shop.db, { name, slug: name.toLowerCase() });
});

test('products are sorted by name as people sort, in both directions', async () => {
  expect(await shop.names({ sortBy: 'name' })).toEqual(NAMES);
  expect(await shop.names({ sortBy: 'name', sortOrder: 'desc' })).toEqual(NAMES.toReversed());
});

test.each([{}, { search: 'thing' }, { minPrice: 1 }])(
  'their pages go on where one ends, %p',
  async (query) => {
    const pages: string[] = [];
    for (let page = 1; page <= 4; page++)
      pages.push(...(await shop.names({ ...query, sortBy: 'name', page, pageSize: 5 })));
    expect(pages).toEqual(NAMES);
  },
);

test('so are those of a category', async () => {
  const { body } = await shop.get('/categories/all', { sortBy: 'name' });
  expect(body.data.products.map(({ name }: { name: string }) => name)).toEqual(NAMES);
});

test('and categories', async () => {
  const { body } = await shop.get('/categories');
  const names = body.data.categories.map(({ name }: { name: string }) => name) as string[];
  expect(names.filter((name) => !name.startsWith('Category'))).toEqual(['Ábaco', 'Ähre', 'banana', 'Zebra']);
});

test.each([
  ['cafe', 'Café crème'],
  ['CAFÉ', 'Café crème'],
  ['cre', 'Café crème'],
  ['"café crème"', 'Café crème'],
  ['bánana', 'Banana'],
  ['lodz', 'Łódź lamp'],
  ['ελλαδα', 'Ελλάδα'],
  ['елка', 'Ёлка'],
  ['りんご', 'りんご'],
])('a search for %s finds %s', async (search, name) => {
  expect(await shop.names({ search })).toEqual([name]);
});

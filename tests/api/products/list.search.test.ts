import fc from 'fast-check';
import { isUsable } from '../../../api/http/body/text';
import { make } from '../../support/builders/make';
import { ProductList } from './product.shape';
import { ownShopWindow } from './shop-window';

const shop = ownShopWindow();

beforeAll(async () => {
  const goods = {
    'Quiet Headphones': 'Over-ear, with noise cancelling and long running batteries.',
    'Head Lamp': 'For nights under the sky.',
    'Kitchen Radio': 'A wireless set in a wooden case.',
    'Über-Kanne 2000': 'Kaffee für alle, 100% Stahl.',
    緑茶: '静岡のお茶',
  };
  for (const [name, description] of Object.entries(goods)) await make.product(shop.db, { name, description });
});

const found = (search: string) => shop.names({ search, sortBy: 'name' });

test.each([
  ['headphones', ['Quiet Headphones']],
  ['HEADPHONES', ['Quiet Headphones']],
  ['head', ['Head Lamp', 'Quiet Headphones']],
  ['headp', ['Quiet Headphones']],
  ['headphone', ['Quiet Headphones']],
  ['run battery', ['Quiet Headphones']], // by stems: «running batteries»
  ['wireless', ['Kitchen Radio']], // in the description
  ['kit rad', ['Kitchen Radio']],
  ['head radio', []], // every word counts
  ['lamp or radio', ['Head Lamp', 'Kitchen Radio']],
  ['"wooden case"', ['Kitchen Radio']],
  ['"case wooden"', []],
  ['head -lamp', []], // with minus, words are whole words
  ['headphones -lamp', ['Quiet Headphones']],
  ['-lamp', []],
  ['über', ['Über-Kanne 2000']],
  ['ÜBER', ['Über-Kanne 2000']],
  ['2000', ['Über-Kanne 2000']],
  ['緑', ['緑茶']],
  ['the', ['Head Lamp']], // a stop word in English, but part of a name
  ['the -lamp', []],
  ['%', []],
  ['zebra', []],
  ['  lamp  ', ['Head Lamp']],
])('%p finds %p', async (search, names) => {
  expect((await found(search)).sort()).toEqual([...names].sort());
});

test('an empty search is no filter', async () => {
  expect(await found('')).toHaveLength(5);
  expect(await found('   ')).toHaveLength(5);
});

test('a long sentence finds the product that contains it', async () => {
  expect(await found('over ear with noise cancelling and long running batteries')).toEqual([
    'Quiet Headphones',
  ]);
});

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({
    unit: fc.constantFrom(
      'head',
      'or',
      '-',
      '"',
      "'",
      '\\',
      '&',
      '|',
      '!',
      '(',
      ')',
      ':*',
      '<->',
      '%',
      '_',
      ' ',
      '*',
      '$1',
      '::',
    ),
    maxLength: 25,
  }),
);

test('every text is a valid search', async () => {
  await fc.assert(
    fc.asyncProperty(nasty.filter(isUsable), async (search) => {
      const { status, body } = await shop.get('/products', { search });
      expect(status).toBe(200);
      ProductList.parse(body);
    }),
    { numRuns: 250 },
  );
});

test('pages and total agree', async () => {
  const { body } = await shop.get('/products', { search: 'head', pageSize: 1, page: 2, sortBy: 'name' });
  const { data, meta } = ProductList.parse(body);
  expect(data.products.map(({ name }) => name)).toEqual(['Quiet Headphones']);
  expect(meta.pagination).toMatchObject({ total: 2, totalPages: 2 });
});

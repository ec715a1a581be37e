import fc from 'fast-check';
import { execute } from '../../../db/sql/query';
import { isUsable } from '../../../api/http/validation/text';
import { make } from '../../support/builders/make';
import { ProductList, ShownProduct } from './product.shape';
import { ownShopWindow } from './shop-window';

describe('GET /products/:id', () => {
  const shop = ownShopWindow();
  const createdAt = new Date('2026-01-02T03:04:05.678Z');

  async function shown(id: string) {
    const { status, body } = await shop.get(`/products/${id}`);
    expect(status).toBe(200);
    return ShownProduct.parse(body).data;
  }

  test('200: every field', async () => {
    const top = await make.category(shop.db, { name: 'Audio', slug: 'audio' });
    const own = await make.category(shop.db, { name: 'Headphones', slug: 'headphones', parentId: top.id });
    const product = await make.product(shop.db, {
      name: 'Quiet Headphones',
      categoryId: own.id,
      priceMinor: 19_999,
      stock: 0,
      weightGrams: 1_285,
      attributes: { colour: 'black', battery: '40 h' },
      createdAt,
    });
    const black = await make.variant(shop.db, product.id, {
      name: 'Black',
      sku: 'Q-BLACK',
      priceMinor: 20_050,
      stock: 3,
      attributes: { colour: 'black' },
    });
    const sand = await make.variant(shop.db, product.id, {
      name: 'Sand',
      sku: 'Q-SAND',
      priceMinor: 19_999,
      stock: 0,
    });
    const image = await make.image(shop.db, product.id, { position: 4 });
    await execute(
      shop.db,
      `UPDATE products SET ratings = '{0,1,0,2,1}', length_mm = 205, width_mm = 180, height_mm = 80 WHERE id = $1`,
      [product.id],
    );

    expect(await shown(product.id)).toEqual({
      id: product.id,
      name: 'Quiet Headphones',
      slug: product.slug,
      description: 'What Quiet Headphones is for.',
      shortDescription: null,
      sku: product.sku,
      price: 199.99,
      compareAtPrice: null,
      currency: 'USD',
      status: 'ACTIVE',
      stockQuantity: 3,
      category: {
        id: own.id,
        name: 'Headphones',
        slug: 'headphones',
        breadcrumb: [
          { id: top.id, name: 'Audio', slug: 'audio' },
          { id: own.id, name: 'Headphones', slug: 'headphones' },
        ],
      },
      images: [expect.objectContaining({ id: image, position: 4, isPrimary: true })],
      tags: [],
      rating: { average: 3.75, count: 4, distribution: { 1: 0, 2: 1, 3: 0, 4: 2, 5: 1 } },
      commissionPercentage: 10,
      careerPointsPercentage: 100,
      trackInventory: true,
      weight: 1.285,
      dimensions: { length: 20.5, width: 18, height: 8 },
      variants: [
        {
          id: black.id,
          name: 'Black',
          sku: 'Q-BLACK',
          price: 200.5,
          stockQuantity: 3,
          attributes: { colour: 'black' },
        },
        {
          id: sand.id,
          name: 'Sand',
          sku: 'Q-SAND',
          price: 199.99,
          stockQuantity: 0,
          attributes: { size: 'M' },
        },
      ],
      attributes: { colour: 'black', battery: '40 h' },
      relatedProducts: [],
      createdAt: createdAt.toISOString(),
      updatedAt: createdAt.toISOString(),
    });
  });

  test('200 under its slug; 404 for an unknown one', async () => {
    const { id } = await make.product(shop.db, { slug: 'reading-lamp' });
    expect((await shown('reading-lamp')).id).toBe(id);
    expect((await shop.get('/products/reading-lamp/reviews')).status).toBe(200);
    const unknown = await shop.get('/products/no-such-lamp');
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 'PRODUCT_NOT_FOUND']);
  });

  test('200: fields that a product does not have are null or empty', async () => {
    const { id } = await make.product(shop.db, { stock: null, weightGrams: null });
    await make.variant(shop.db, id);
    expect(await shown(id)).toMatchObject({
      category: null,
      images: [],
      stockQuantity: null,
      trackInventory: false,
      weight: null,
      dimensions: null,
      variants: [expect.objectContaining({ stockQuantity: null })],
      attributes: {},
      relatedProducts: [],
      rating: { average: 0, count: 0, distribution: { 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 } },
    });
  });

  test('200: without one dimension, there are none', async () => {
    const { id } = await make.product(shop.db);
    await execute(shop.db, 'UPDATE products SET length_mm = 1, width_mm = 1 WHERE id = $1', [id]);
    expect((await shown(id)).dimensions).toBeNull();
  });

  test('200: related products are of the same category, the most popular first, four at most', async () => {
    const { id: categoryId } = await make.category(shop.db);
    const other = await make.category(shop.db, { parentId: categoryId });
    const { id } = await make.product(shop.db, { categoryId, unitsSold90d: 50 });
    const best = await make.product(shop.db, {
      name: 'best',
      categoryId,
      unitsSold90d: 9,
      priceMinor: 1_050,
    });
    for (const [name, unitsSold90d] of Object.entries({ worst: 1, fourth: 5, third: 6, second: 7 }))
      await make.product(shop.db, { name, categoryId, unitsSold90d });
    await make.product(shop.db, { categoryId, unitsSold90d: 99, status: 'DRAFT' });
    await make.product(shop.db, { categoryId, unitsSold90d: 99, status: 'ARCHIVED' });
    await make.product(shop.db, { categoryId: other.id, unitsSold90d: 99 });
    await make.image(shop.db, best.id, { isPrimary: false });
    const primary = await make.image(shop.db, best.id, { position: 9 });

    const { relatedProducts } = await shown(id);
    expect(relatedProducts.map(({ name }) => name)).toEqual(['best', 'second', 'third', 'fourth']);
    expect(relatedProducts[0]).toEqual({
      id: best.id,
      name: 'best',
      slug: best.slug,
      price: 10.5,
      thumbnailUrl: `https://images.example.com/${primary}-small.jpg`,
    });
    expect(relatedProducts[1]?.thumbnailUrl).toBeNull();
  });

  test('200: a product that has run out is shown as OUT_OF_STOCK', async () => {
    const { id } = await make.product(shop.db, { stock: 0 });
    expect(await shown(id)).toMatchObject({ status: 'OUT_OF_STOCK', stockQuantity: 0 });
  });

  test('200: the same with a token', async () => {
    const { id } = await make.product(shop.db);
    const { body } = await shop.getAs('0193b5f0-0000-7000-8000-000000000001', `/products/${id}`);
    expect(body).toEqual((await shop.get(`/products/${id}`)).body);
  });

  test('one statement, whatever belongs to the product', async () => {
    const { id: categoryId } = await make.category(shop.db);
    const { id } = await make.product(shop.db, { categoryId });
    for (let n = 0; n < 5; n++) {
      await make.variant(shop.db, id);
      await make.product(shop.db, { categoryId });
    }
    const sent = jest.spyOn(shop.db.sequelize, 'query');
    await shown(id);
    expect(sent).toHaveBeenCalledTimes(1);
    sent.mockRestore();
  });

  test.each(['DRAFT', 'ARCHIVED'] as const)(
    '404 PRODUCT_NOT_FOUND for %s, also to administrators',
    async (status) => {
      const { id } = await make.product(shop.db, { status });
      for (const { status: answer, body } of [
        await shop.get(`/products/${id}`),
        await shop.getAs('0193b5f0-0000-7000-8000-000000000001:ADMIN', `/products/${id}`),
      ])
        expect([answer, body.error.code]).toEqual([404, 'PRODUCT_NOT_FOUND']);
    },
  );

  test('404 PRODUCT_NOT_FOUND for an unknown id', async () => {
    const { status, body } = await shop.get('/products/0193b5f0-0000-7000-8000-000000000001');
    expect([status, body.error.code]).toEqual([404, 'PRODUCT_NOT_FOUND']);
  });

  test('400 VALIDATION_ERROR for a name that is too long', async () => {
    const { status, body } = await shop.get(`/products/${'x'.repeat(301)}`);
    expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
      400,
      'VALIDATION_ERROR',
      ['id'],
    ]);
  });
});

describe('search', () => {
  const shop = ownShopWindow();

  beforeAll(async () => {
    const goods = {
      'Quiet Headphones': 'Over-ear, with noise cancelling and long running batteries.',
      'Head Lamp': 'For nights under the sky.',
      'Kitchen Radio': 'A wireless set in a wooden case.',
      'Über-Kanne 2000': 'Kaffee für alle, 100% Stahl.',
      緑茶: '静岡のお茶',
    };
    for (const [name, description] of Object.entries(goods))
      await make.product(shop.db, { name, description });
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
});

import { randomUUID } from 'node:crypto';
import { v7 } from 'uuid';
import supertest from 'supertest';
import { firstRow, rows } from '../../../../db/sql/query';
import { writeReview } from '../../../../api/products/reviews/write.command';
import type { NewReview } from '../../../../db/catalog/review/review.writes';
import { adminReviewEndpoints } from '../../../../api/admin/reviews';
import { make } from '../../../support/builders/make';
import { ownDatabase } from '../../../support/servers/database';
import {
  answeredWithinASecond,
  catalogueProcesses,
  type CatalogueProcess,
} from '../../http/page-cache/catalogue-process';
import { ownReviewing, resultCounts, resultOf, WrittenReview } from './reviewing';

const shop = ownReviewing();

describe('POST /products/:id/reviews', () => {
  const good = { rating: 5, content: 'It does what it should.' };

  const write = (productId: string, as: string | undefined, body: object, key?: string) =>
    shop.ask('post', `/products/${productId}/reviews`, { as, body, ...(key !== undefined && { key }) });
  async function bought() {
    const product = await make.product(shop.db);
    return { productId: product.id, buyer: await shop.buyerOf(product.id) };
  }

  test('201: every field, and its rating counts at once', async () => {
    const { productId, buyer } = await bought();
    const words = {
      title: 'Quiet',
      content: 'It runs every morning.',
      pros: ['Quiet', 'Warm'],
      cons: ['Heavy'],
    };
    const { status, body } = await write(productId, buyer, { rating: 4, ...words });
    expect(status).toBe(201);
    const written = WrittenReview.parse(body.data);
    expect(written).toMatchObject({ rating: 4, ...words, status: 'PUBLISHED' });
    const product = await shop.ask('get', `/products/${productId}`);
    expect(product.body.data.rating).toEqual({
      average: 4,
      count: 1,
      distribution: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 0 },
    });
    const { body: list } = await shop.ask('get', `/products/${productId}/reviews`, { as: buyer });
    expect(list.data.reviews).toMatchObject([
      { id: written.id, author: { id: buyer, isVerifiedPurchaser: true }, isHelpful: false, updatedAt: null },
    ]);
    const { body: products } = await shop.ask('get', '/products');
    expect(products.data.products.find(({ id }: { id: string }) => id === productId).rating).toEqual({
      average: 4,
      count: 1,
    });
  });

  test('201: fields left out are empty, and texts are trimmed', async () => {
    const { productId, buyer } = await bought();
    const { body } = await write(productId, buyer, {
      rating: 1,
      title: '  ',
      content: `  ${'x'.repeat(10)}\n`,
    });
    expect(WrittenReview.parse(body.data)).toMatchObject({
      title: null,
      content: 'x'.repeat(10),
      pros: [],
      cons: [],
    });
  });

  test.each([
    ['a link', { title: 'See example.com' }],
    ['an e-mail address', { content: 'Write to ada@example.org instead' }],
    ['a phone number', { pros: ['Call +49 30 901820'] }],
    ['a blocked word', { cons: ['Bought in a CASINO'] }],
  ])('201: %s lets it wait, unseen and uncounted', async (_what, words) => {
    const { productId, buyer } = await bought();
    const { status, body } = await write(productId, buyer, { ...good, ...words });
    expect([status, WrittenReview.parse(body.data).status]).toEqual([201, 'PENDING']);
    expect((await shop.ask('get', `/products/${productId}/reviews`)).body.data.reviews).toEqual([]);
    expect((await shop.ask('get', `/products/${productId}`)).body.data.rating.count).toBe(0);
    expect(resultOf(await write(productId, buyer, good))).toBe('409 ALREADY_REVIEWED');
  });

  test('201: unknown fields have no effect', async () => {
    const { productId, buyer } = await bought();
    const smuggled = {
      id: randomUUID(),
      userId: randomUUID(),
      status: 'REJECTED',
      helpfulCount: 99,
      response: 'x',
    };
    const { body } = await write(productId, buyer, { ...good, ...smuggled });
    const row = await firstRow(
      shop.db,
      `SELECT user_id, status, helpful_count, response FROM reviews WHERE id = $1`,
      [body.data.id],
    );
    expect(row).toEqual({ userId: buyer, status: 'PUBLISHED', helpfulCount: 0, response: null });
  });

  test('201: sent again with its key, it is the same review, counted once', async () => {
    const { productId, buyer } = await bought();
    const key = randomUUID();
    const first = await write(productId, buyer, good, key);
    const again = await write(productId, buyer, good, key);
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect((await shop.ratings(productId)).stored).toEqual([0, 0, 0, 0, 1]);
  });

  test.each([
    ['rating', { rating: 0 }],
    ['rating', { rating: 6 }],
    ['rating', { rating: 4.5 }],
    ['rating', { rating: '5' }],
    ['rating', { rating: undefined }],
    ['title', { title: 'x'.repeat(101) }],
    ['content', { content: undefined }],
    ['content', { content: ' short   ' }],
    ['content', { content: ' '.repeat(20) }],
    ['content', { content: 'x'.repeat(2_001) }],
    ['content', { content: `NUL ${'\u0000'.repeat(9)}` }],
    ['pros', { pros: Array.from({ length: 6 }, () => 'x') }],
    ['pros.0', { pros: ['x'.repeat(101)] }],
    ['cons', { cons: 'Heavy' }],
    ['cons.1', { cons: ['Heavy', ' '] }],
  ])('400 VALIDATION_ERROR names %s: %j', async (field, words) => {
    const { productId, buyer } = await bought();
    const { status, body } = await write(productId, buyer, { ...good, ...words });
    expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
      400,
      'VALIDATION_ERROR',
      [field],
    ]);
  });

  test('201: the longest allowed', async () => {
    const { productId, buyer } = await bought();
    const five = Array.from({ length: 5 }, () => 'x'.repeat(100));
    const longest = { title: 'x'.repeat(100), content: 'x'.repeat(2_000), pros: five, cons: five };
    expect(resultOf(await write(productId, buyer, { ...good, ...longest }))).toBe('201');
  });

  test.each(['PENDING_PAYMENT', 'CANCELLED', 'REFUNDED'] as const)(
    '403 NOT_PURCHASED with an order that is %s',
    async (status) => {
      const { id: productId } = await make.product(shop.db);
      const { id: userId } = await make.user(shop.db);
      await make.purchase(shop.db, { userId, productId, status });
      expect(resultOf(await write(productId, userId, good))).toBe('403 NOT_PURCHASED');
      await make.purchase(shop.db, { userId, productId, status: 'PAID' });
      expect(resultOf(await write(productId, userId, good))).toBe('201');
    },
  );

  test.each(['PAID', 'PROCESSING', 'SHIPPED', 'DELIVERED'] as const)(
    '201 with one that is %s',
    async (status) => {
      const { id: productId } = await make.product(shop.db);
      const { id: userId } = await make.user(shop.db);
      await make.purchase(shop.db, { userId, productId, status });
      expect(resultOf(await write(productId, userId, good))).toBe('201');
    },
  );

  test('403 NOT_PURCHASED for the purchase of another user, and for another product', async () => {
    const { productId } = await bought();
    const { buyer } = await bought();
    expect(resultOf(await write(productId, buyer, good))).toBe('403 NOT_PURCHASED');
    expect(resultOf(await write(productId, (await make.user(shop.db)).id, good))).toBe('403 NOT_PURCHASED');
  });

  test('404 PRODUCT_NOT_FOUND for a product that visitors do not see, even for its buyer', async () => {
    for (const status of ['DRAFT', 'ARCHIVED'] as const) {
      const { id } = await make.product(shop.db, { status });
      expect(resultOf(await write(id, await shop.buyerOf(id), good))).toBe('404 PRODUCT_NOT_FOUND');
    }
    const { buyer } = await bought();
    expect(resultOf(await write(randomUUID(), buyer, good))).toBe('404 PRODUCT_NOT_FOUND');
  });

  test('409 ALREADY_REVIEWED the second time, even if the first was rejected', async () => {
    const { productId, buyer } = await bought();
    const { body } = await write(productId, buyer, good);
    expect(resultOf(await write(productId, buyer, { ...good, rating: 1 }))).toBe('409 ALREADY_REVIEWED');
    const admin = await make.admin(shop.db);
    await shop.ask('post', `/admin/reviews/${body.data.id}/reject`, { as: `${admin.id}:ADMIN`, body: {} });
    expect(resultOf(await write(productId, buyer, good))).toBe('409 ALREADY_REVIEWED');
    expect((await shop.ratings(productId)).stored).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('races', () => {
  const content = 'It does what it should.';

  const write = (productId: string, as: string, rating: number) =>
    shop.ask('post', `/products/${productId}/reviews`, { as, body: { rating, content } });
  const many = <T>(count: number, one: (n: number) => Promise<T>) =>
    Promise.all(Array.from({ length: count }, (_, n) => one(n)));

  test('the same review sent twice at once: one review, counted once', async () => {
    const { id: productId } = await make.product(shop.db);
    const buyer = await shop.buyerOf(productId);
    const answers = await many(10, (n) => write(productId, buyer, 1 + (n % 5)));
    expect(resultCounts(answers)).toEqual({ '201': 1, '409 ALREADY_REVIEWED': 9 });
    const kept = await rows<{ rating: number }>(shop.db, 'SELECT rating FROM reviews WHERE product_id = $1', [
      productId,
    ]);
    expect(kept).toHaveLength(1);
    const { stored, counted } = await shop.ratings(productId);
    expect(stored).toEqual(counted);
    expect(stored[kept[0]!.rating - 1]).toBe(1);
  });

  test('fifty buyers write at once: the summary is exact', async () => {
    const { id: productId } = await make.product(shop.db);
    const buyers = await many(50, () => shop.buyerOf(productId));
    const answers = await Promise.all(buyers.map((buyer, n) => write(productId, buyer, 1 + (n % 5))));
    expect(resultCounts(answers)).toEqual({ '201': 50 });
    expect(await shop.ratings(productId)).toEqual({
      stored: [10, 10, 10, 10, 10],
      counted: [10, 10, 10, 10, 10],
    });
    const { body } = await shop.ask('get', `/products/${productId}/reviews`);
    expect([body.data.summary.average, body.data.summary.count, body.meta.pagination.total]).toEqual([
      3, 50, 50,
    ]);
  });

  test('written, published, rejected and voted for at once: the counts are exact', async () => {
    const { id: productId } = await make.product(shop.db);
    const admin = `${(await make.admin(shop.db)).id}:ADMIN`;
    const buyers = await many(20, () => shop.buyerOf(productId));
    const moderated = await many(10, (n) =>
      make.review(shop.db, { productId, rating: 1 + (n % 5), status: n % 2 === 0 ? 'PENDING' : 'PUBLISHED' }),
    );
    const decide = (id: string, what: 'publish' | 'reject') =>
      shop.ask('post', `/admin/reviews/${id}/${what}`, { as: admin, body: {} });
    const answers = await Promise.all([
      ...buyers.map((buyer, n) => write(productId, buyer, 1 + (n % 5))),
      ...moderated.flatMap(({ id }) => [
        decide(id, 'publish'),
        decide(id, 'reject'),
        decide(id, 'publish'),
        shop.ask('post', `/products/${productId}/reviews/${id}/helpful`, { as: buyers[0]! }),
      ]),
    ]);
    expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
    const { stored, counted } = await shop.ratings(productId);
    expect(stored).toEqual(counted);
    const wrong = await rows(
      shop.db,
      `SELECT id FROM reviews r WHERE helpful_count <> (SELECT count(*) FROM review_votes WHERE review_id = r.id)`,
    );
    expect(wrong).toEqual([]);
  });
});

describe('the command', () => {
  const own = ownDatabase();

  async function newReview(): Promise<NewReview> {
    const [product, user] = [await make.product(own.db), await make.user(own.db)];
    await make.purchase(own.db, { userId: user.id, productId: product.id });
    const words = { title: null, content: 'It does what it should.', pros: [], cons: [] };
    return {
      ...{ id: v7(), productId: product.id, userId: user.id, rating: 4 },
      ...{ ...words, at: new Date() },
    };
  }
  const ratings = async ({ productId }: NewReview) =>
    (await firstRow<{ ratings: number[] }>(own.db, 'SELECT ratings FROM products WHERE id = $1', [
      productId,
    ]))!.ratings;

  test('a request repeated after its answer was lost finds its own review, counted once', async () => {
    const review = await newReview();
    const first = await writeReview(own.db, review);
    const again = await writeReview(own.db, { ...review, at: new Date() });
    expect(first).toMatchObject({ id: review.id, status: 'PUBLISHED', createdAt: review.at });
    expect(again).toEqual(first);
    expect(await ratings(review)).toEqual([0, 0, 0, 1, 0]);
  });

  test('a second review of the same buyer is refused and changes nothing', async () => {
    const review = await newReview();
    await writeReview(own.db, review);
    await expect(writeReview(own.db, { ...review, id: v7(), rating: 1 })).rejects.toMatchObject({
      type: 'ALREADY_REVIEWED',
    });
    expect(await ratings(review)).toEqual([0, 0, 0, 1, 0]);
  });
});

describe('the cache of the catalogue', () => {
  const database = ownDatabase();
  const open = catalogueProcesses(database);

  const ask = (at: CatalogueProcess, path: string, as: string, body: object = {}) =>
    supertest(at.address).post(`/api/v1${path}`).set('authorization', `Bearer ${as}`).send(body);
  /** The number of ratings on the product's page and in the list. */
  const counts = async (at: CatalogueProcess, productId: string) => {
    const [page, list] = [await at.get(`/products/${productId}`), await at.get('/products')];
    const listed = (list.body.data.products as { id: string; rating: { count: number } }[]).find(
      ({ id }) => id === productId,
    );
    return [page.body.data.rating.count, listed!.rating.count];
  };

  test('the catalogue never shows ratings older than the last answer about a review', async () => {
    const shop = await open({ endpoints: adminReviewEndpoints });
    const other = await open();
    const { id: productId } = await make.product(database.db);
    const admin = `${(await make.admin(database.db)).id}:ADMIN`;
    expect(await counts(shop, productId)).toEqual([0, 0]);
    for (let n = 1; n <= 10; n++) {
      const { id: buyer } = await make.user(database.db);
      await make.purchase(database.db, { userId: buyer, productId });
      await other.get(`/products/${productId}`);
      const written = await ask(shop, `/products/${productId}/reviews`, buyer, {
        rating: 5,
        content: 'It does what it should.',
      });
      expect(written.status).toBe(201);
      expect(await counts(shop, productId)).toEqual([n, n]);
      const review = `/admin/reviews/${written.body.data.id}`;
      expect((await ask(shop, `${review}/reject`, admin)).status).toBe(200);
      expect(await counts(shop, productId)).toEqual([n - 1, n - 1]);
      expect((await ask(shop, `${review}/publish`, admin)).status).toBe(200);
      expect(await counts(shop, productId)).toEqual([n, n]);
      await answeredWithinASecond(
        async () => (await other.get(`/products/${productId}`)).body.data.rating.count,
        n,
      );
    }
  });
});

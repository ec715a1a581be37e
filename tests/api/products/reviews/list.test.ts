import { randomUUID } from 'node:crypto';
import { NIL } from 'uuid';
import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { execute } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { make } from '../../../support/builders/make';
import { ownReviewing, resultOf, ReviewList } from './reviewing';

const shop = ownReviewing();

describe('GET /products/:id/reviews', () => {
  async function shown(productId: string, query: object = {}, as?: string) {
    const answer = await shop.ask('get', `/products/${productId}/reviews`, { query, as });
    expect(answer.status).toBe(200);
    return ReviewList.parse(answer.body);
  }

  test('200: every field', async () => {
    const product = await make.product(shop.db);
    const ada = await make.user(shop.db, { firstName: 'Ada', lastName: 'Lovelace' });
    await execute(shop.db, `UPDATE users SET avatar_url = 'https://x.example/a.webp' WHERE id = $1`, [
      ada.id,
    ]);
    await make.purchase(shop.db, { userId: ada.id, productId: product.id });
    const reader = await make.user(shop.db);
    const createdAt = new Date('2026-01-02T03:04:05.678Z');
    const { id } = await make.review(shop.db, {
      ...{ productId: product.id, userId: ada.id, rating: 4, title: 'Still going', createdAt },
      ...{ content: 'It runs every morning.', response: 'Thank you!', helpfulTo: [reader.id] },
    });
    await execute(shop.db, `UPDATE reviews SET pros = '{Quiet,Warm}', cons = '{Heavy}' WHERE id = $1`, [id]);
    expect((await shown(product.id)).data).toEqual({
      reviews: [
        {
          id,
          author: {
            id: ada.id,
            name: 'Ada L.',
            avatarUrl: 'https://x.example/a.webp',
            isVerifiedPurchaser: true,
          },
          rating: 4,
          title: 'Still going',
          content: 'It runs every morning.',
          pros: ['Quiet', 'Warm'],
          cons: ['Heavy'],
          helpfulCount: 1,
          isHelpful: null,
          images: [],
          response: { content: 'Thank you!', respondedAt: createdAt.toISOString() },
          createdAt: createdAt.toISOString(),
          updatedAt: null,
        },
      ],
      summary: { average: 4, count: 1, distribution: { 1: 0, 2: 0, 3: 0, 4: 1, 5: 0 } },
    });
  });

  test('200: with a token, isHelpful is set, and nothing else differs', async () => {
    const { id: productId } = await make.product(shop.db);
    const reader = await make.user(shop.db);
    await make.review(shop.db, { productId, helpfulTo: [reader.id] });
    await make.review(shop.db, { productId });
    const helpful = async (as?: string) =>
      (await shown(productId, { sortBy: 'helpful' }, as)).data.reviews.map(({ isHelpful }) => isHelpful);
    expect(await helpful()).toEqual([null, null]);
    expect(await helpful(reader.id)).toEqual([true, false]);
    expect(await helpful((await make.user(shop.db)).id)).toEqual([false, false]);
    const isHelpful = undefined;
    const [anyones, readers] = [await shown(productId), await shown(productId, {}, reader.id)].map((answer) =>
      answer.data.reviews.map((review) => ({ ...review, isHelpful })),
    );
    expect(readers).toEqual(anyones);
  });

  test('200: a purchase counts until it is cancelled or refunded', async () => {
    const { id: productId } = await make.product(shop.db);
    const other = await make.product(shop.db);
    const expected: Record<string, boolean> = {};
    for (const status of [
      'PAID',
      'PROCESSING',
      'SHIPPED',
      'DELIVERED',
      'PENDING_PAYMENT',
      'CANCELLED',
      'REFUNDED',
    ] as const) {
      const { id, userId } = await make.review(shop.db, { productId });
      await make.purchase(shop.db, { userId, productId, status });
      await make.purchase(shop.db, { userId, productId: other.id });
      expected[id] = ['PAID', 'PROCESSING', 'SHIPPED', 'DELIVERED'].includes(status);
    }
    const { reviews } = (await shown(productId)).data;
    expect(Object.fromEntries(reviews.map(({ id, author }) => [id, author.isVerifiedPurchaser]))).toEqual(
      expected,
    );
  });

  test('200: only published reviews are shown and counted', async () => {
    const { id: productId } = await make.product(shop.db);
    for (const status of ['PENDING', 'REJECTED'] as const) await make.review(shop.db, { productId, status });
    await make.review(shop.db);
    expect(await shown(productId)).toMatchObject({
      data: { reviews: [], summary: { average: 0, count: 0, distribution: { 5: 0 } } },
      meta: { pagination: { total: 0, totalPages: 0 } },
    });
  });

  test('200: authors with erased accounts are all the same former customer', async () => {
    const { id: productId } = await make.product(shop.db);
    for (let n = 0; n < 2; n++) {
      const { userId } = await make.review(shop.db, { productId });
      await inTransaction(shop.db, (tx) => eraseAccount(tx, userId, new Date()));
    }
    const { reviews } = (await shown(productId)).data;
    expect(reviews.map(({ author }) => author)).toEqual(
      [1, 2].map(() => ({ id: NIL, name: 'Former customer', avatarUrl: null, isVerifiedPurchaser: false })),
    );
  });

  test('404 PRODUCT_NOT_FOUND for a product that visitors do not see', async () => {
    const hidden = [
      randomUUID(),
      (await make.product(shop.db, { status: 'DRAFT' })).id,
      (await make.product(shop.db, { status: 'ARCHIVED' })).id,
    ];
    for (const id of hidden) {
      expect(resultOf(await shop.ask('get', `/products/${id}/reviews`))).toBe('404 PRODUCT_NOT_FOUND');
    }
    const soldOut = await make.product(shop.db, { stock: 0 });
    expect(resultOf(await shop.ask('get', `/products/${soldOut.id}/reviews`))).toBe('200');
  });
});

describe('pages', () => {
  async function shown(productId: string, query: object = {}, as?: string) {
    const answer = await shop.ask('get', `/products/${productId}/reviews`, { query, as });
    expect(answer.status).toBe(200);
    return ReviewList.parse(answer.body);
  }

  let productId: string;
  beforeAll(async () => {
    productId = (await make.product(shop.db)).id;
    const readers = await Promise.all([1, 2, 3].map(() => make.user(shop.db)));
    for (let n = 0; n < 23; n++)
      await make.review(shop.db, {
        productId,
        rating: 1 + (n % 3),
        createdAt: new Date(Date.UTC(2026, 0, 1 + (n % 4))),
        helpfulTo: readers.slice(0, n % 4).map(({ id }) => id),
      });
  });

  const keys = {
    createdAt: (review: { createdAt: string }) => review.createdAt,
    rating: (review: { rating: number }) => review.rating,
    helpful: (review: { helpfulCount: number }) => review.helpfulCount,
  };
  const orders = (['createdAt', 'rating', 'helpful'] as const).flatMap((sortBy) =>
    (['asc', 'desc'] as const).map((sortOrder) => ({ sortBy, sortOrder })),
  );

  test.each(orders)('%p: every review once, sorted, equal ones by id', async ({ sortBy, sortOrder }) => {
    const pages = [];
    for (let page = 1; page <= 3; page++) {
      const { data, meta } = await shown(productId, { sortBy, sortOrder, page, pageSize: 10 });
      expect(meta.pagination).toEqual({
        ...{ total: 23, page, pageSize: 10, totalPages: 3 },
        ...{ hasNext: page < 3, hasPrevious: page > 1 },
      });
      pages.push(...data.reviews);
    }
    expect(new Set(pages.map(({ id }) => id)).size).toBe(23);
    const key = keys[sortBy];
    const sorted = [...pages].sort((one, two) => {
      const [a, b] = [key(one), key(two)];
      const rising = a < b ? -1 : a > b ? 1 : one.id < two.id ? -1 : 1;
      return sortOrder === 'asc' ? rising : -rising;
    });
    expect(pages.map(({ id }) => id)).toEqual(sorted.map(({ id }) => id));
  });

  test('by default the newest first, twenty of them', async () => {
    const usual = await shown(productId);
    expect(usual.data.reviews).toHaveLength(20);
    expect(usual.data.reviews).toEqual(
      (await shown(productId, { sortBy: 'createdAt', sortOrder: 'desc' })).data.reviews,
    );
  });

  test('a filter by rating applies to the list and its total, not to the summary', async () => {
    const { data, meta } = await shown(productId, { rating: 2 });
    expect(data.reviews.every(({ rating }) => rating === 2)).toBe(true);
    expect([data.reviews.length, meta.pagination.total, data.summary.count]).toEqual([8, 8, 23]);
    expect(data.summary).toEqual({
      average: 1.96,
      count: 23,
      distribution: { 1: 8, 2: 8, 3: 7, 4: 0, 5: 0 },
    });
    expect((await shown(productId, { rating: 5 })).meta.pagination.total).toBe(0);
  });

  test('a page after the last is empty and still has the total', async () => {
    const { data, meta } = await shown(productId, { page: 9, pageSize: 50 });
    expect([data.reviews, meta.pagination.total]).toEqual([[], 23]);
  });

  test('one statement for any number of reviews', async () => {
    const sent = jest.spyOn(shop.db.sequelize, 'query');
    await shown(productId, { pageSize: 50 }, randomUUID());
    expect(sent).toHaveBeenCalledTimes(1);
    sent.mockRestore();
  });

  test.each([
    ['pageSize', 51],
    ['pageSize', 0],
    ['page', 0],
    ['rating', 0],
    ['rating', 6],
    ['rating', '4.5'],
    ['sortBy', 'author'],
    ['sortOrder', 'up'],
  ])('400 VALIDATION_ERROR for %s %s', async (name, value) => {
    const { status, body } = await shop.ask('get', `/products/${productId}/reviews`, {
      query: { [name]: value },
    });
    expect([status, body.error.code, Object.keys(body.error.details)]).toEqual([
      400,
      'VALIDATION_ERROR',
      [name],
    ]);
  });

  test('at most 50 on a page', async () => {
    expect((await shown(productId, { pageSize: 50 })).meta.pagination.pageSize).toBe(50);
  });
});

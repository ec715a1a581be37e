import { randomUUID } from 'node:crypto';
import { make } from '../../../support/builders/make';
import { ownReviewing, ReviewList } from './reviewing';

const shop = ownReviewing();

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

import { z } from 'zod';
import { make } from '../../../support/builders/make';
import { ModeratedReview, ownReviewing, resultOf } from '../../products/reviews/reviewing';

const shop = ownReviewing();
let admin: string;
let one: string;
let other: string;
const ids: Record<string, string> = {};

beforeAll(async () => {
  admin = `${(await make.admin(shop.db)).id}:ADMIN`;
  one = (await make.product(shop.db, { name: 'Kettle' })).id;
  other = (await make.product(shop.db)).id;
  const day = (n: number) => ({ createdAt: new Date(Date.UTC(2026, 0, n)) });
  const made = {
    first: await make.review(shop.db, { productId: one, rating: 1, title: 'Loud 100%', ...day(1) }),
    second: await make.review(shop.db, {
      productId: one,
      status: 'PENDING',
      content: 'As loud as a train.',
      ...day(2),
    }),
    third: await make.review(shop.db, { productId: other, rating: 1, status: 'REJECTED', ...day(3) }),
    fourth: await make.review(shop.db, { productId: other, rating: 3, ...day(4) }),
  };
  for (const [name, { id }] of Object.entries(made)) ids[name] = id;
});

const list = (query: object = {}, as: string | undefined = admin) =>
  shop.ask('get', '/admin/reviews', { query, as });
async function found(query: object = {}): Promise<string[]> {
  const { status, body } = await list(query);
  expect(status).toBe(200);
  const reviews = z.array(ModeratedReview).parse(body.data.reviews);
  expect(body.meta.pagination.total).toBe(reviews.length);
  return reviews.map(({ id }) => Object.keys(ids).find((name) => ids[name] === id)!);
}

test('200: every field, for any status', async () => {
  const { body } = await list({ status: 'REJECTED' });
  const [review] = z.array(ModeratedReview).parse(body.data.reviews);
  expect(review).toMatchObject({
    id: ids['third'],
    product: { id: other },
    author: {
      name: 'Ada Lovelace',
      email: expect.stringContaining('@example.com'),
      isVerifiedPurchaser: false,
    },
    status: 'REJECTED',
    rating: 1,
    response: null,
  });
});

test('200: the newest first, or the oldest', async () => {
  expect(await found()).toEqual(['fourth', 'third', 'second', 'first']);
  expect(await found({ sortOrder: 'asc' })).toEqual(['first', 'second', 'third', 'fourth']);
});

test.each<[object, string[]]>([
  [{ status: 'PENDING' }, ['second']],
  [{ status: 'PUBLISHED' }, ['fourth', 'first']],
  [{ rating: 1 }, ['third', 'first']],
  [{ rating: 1, status: 'PUBLISHED' }, ['first']],
  [{ search: 'LOUD' }, ['second', 'first']],
  [{ search: '100%' }, ['first']],
  [{ search: '%' }, ['first']],
  [{ search: '_' }, []],
  [{ search: 'loud', status: 'PENDING' }, ['second']],
  [{ search: '' }, ['fourth', 'third', 'second', 'first']],
])('200: narrowed by %j', async (query, names) => {
  expect(await found(query)).toEqual(names);
});

test('200: of one product', async () => {
  expect(await found({ productId: one })).toEqual(['second', 'first']);
  expect(await found({ productId: other, rating: 3 })).toEqual(['fourth']);
});

test('200: pages have their number and the total', async () => {
  const { body } = await list({ page: 2, pageSize: 3 });
  expect(body.data.reviews.map(({ id }: { id: string }) => id)).toEqual([ids['first']]);
  expect(body.meta.pagination).toEqual({
    ...{ total: 4, page: 2, pageSize: 3, totalPages: 2 },
    ...{ hasNext: false, hasPrevious: true },
  });
  expect((await list({ pageSize: 100 })).status).toBe(200);
});

test.each([
  ['pageSize', 101],
  ['status', 'SHOWN'],
  ['productId', '1'],
  ['rating', 9],
  ['search', 'x'.repeat(101)],
  ['sortOrder', 'up'],
])('400 VALIDATION_ERROR for %s %s', async (name, value) => {
  const answer = await list({ [name]: value });
  expect(resultOf(answer)).toBe('400 VALIDATION_ERROR');
  expect(Object.keys(answer.body.error.details)).toEqual([name]);
});

test('401 UNAUTHORIZED without a token, 403 FORBIDDEN for users', async () => {
  expect(resultOf(await shop.ask('get', '/admin/reviews'))).toBe('401 UNAUTHORIZED');
  expect(resultOf(await list({}, (await make.user(shop.db)).id))).toBe('403 FORBIDDEN');
});

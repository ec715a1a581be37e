import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownReviewing, ModeratedReview, resultOf, resultCounts } from '../../products/reviews/reviewing';

const shop = ownReviewing();
let admin: string;
beforeAll(async () => {
  admin = (await make.admin(shop.db)).id;
});

const recordsOf = (reviewId: string) =>
  rows<{ actorId: string; action: string; previous: object; next: object }>(
    shop.db,
    `SELECT actor_id, action, previous, next FROM audit_records WHERE entity_id = $1 ORDER BY sequence`,
    [reviewId],
  );

describe('GET /admin/reviews', () => {
  let one: string;
  let other: string;
  const ids: Record<string, string> = {};

  beforeAll(async () => {
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

  const list = (query: object = {}, as: string | undefined = `${admin}:ADMIN`) =>
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
});

describe('POST /admin/reviews/:id/publish', () => {
  const publish = (id: string, as: string | undefined = `${admin}:ADMIN`) =>
    shop.ask('post', `/admin/reviews/${id}/publish`, { as });

  test.each(['PENDING', 'REJECTED'] as const)(
    '200: one that was %s is shown and counted, and recorded',
    async (status) => {
      const { id, productId } = await make.review(shop.db, { status, rating: 2 });
      const answer = await publish(id);
      expect(answer.status).toBe(200);
      expect(ModeratedReview.parse(answer.body.data)).toMatchObject({ id, status: 'PUBLISHED' });
      expect((await shop.ratings(productId)).stored).toEqual([0, 1, 0, 0, 0]);
      const { body } = await shop.ask('get', `/products/${productId}/reviews`);
      expect(body.data).toMatchObject({ reviews: [{ id }], summary: { average: 2, count: 1 } });
      expect(await recordsOf(id)).toEqual([
        { actorId: admin, action: 'review.publish', previous: { status }, next: { status: 'PUBLISHED' } },
      ]);
    },
  );

  test('200: published by ten at once, it is counted and recorded once', async () => {
    const { id, productId } = await make.review(shop.db, { status: 'PENDING' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => publish(id)));
    expect(resultCounts(answers)).toEqual({ '200': 10 });
    expect((await shop.ratings(productId)).stored).toEqual([0, 0, 0, 0, 1]);
    expect(await recordsOf(id)).toHaveLength(1);
  });

  test('400 VALIDATION_ERROR for an invalid id, 404 REVIEW_NOT_FOUND for an unknown id', async () => {
    expect(resultOf(await publish('1'))).toBe('400 VALIDATION_ERROR');
    expect(resultOf(await publish(randomUUID()))).toBe('404 REVIEW_NOT_FOUND');
  });

  test('401 UNAUTHORIZED without a token, 403 FORBIDDEN for users, its author too', async () => {
    const { id, userId } = await make.review(shop.db, { status: 'PENDING' });
    expect(resultOf(await shop.ask('post', `/admin/reviews/${id}/publish`))).toBe('401 UNAUTHORIZED');
    expect(resultOf(await publish(id, userId))).toBe('403 FORBIDDEN');
    expect(await recordsOf(id)).toEqual([]);
  });
});

describe('POST /admin/reviews/:id/reject', () => {
  const reject = (id: string, body: object = {}, as = `${admin}:ADMIN`) =>
    shop.ask('post', `/admin/reviews/${id}/reject`, { as, body });

  test('200: a published review is hidden, no longer counted, and recorded with the reason', async () => {
    const { id, productId } = await make.review(shop.db, { rating: 2 });
    await make.review(shop.db, { productId, rating: 4 });
    const answer = await reject(id, { reason: ' Advertises another shop. ' });
    expect(answer.status).toBe(200);
    expect(ModeratedReview.parse(answer.body.data)).toMatchObject({ id, status: 'REJECTED' });
    expect((await shop.ratings(productId)).stored).toEqual([0, 0, 0, 1, 0]);
    const { body } = await shop.ask('get', `/products/${productId}/reviews`);
    expect([body.data.reviews.length, body.data.summary.average]).toEqual([1, 4]);
    expect(await recordsOf(id)).toEqual([
      {
        actorId: admin,
        action: 'review.reject',
        previous: { status: 'PUBLISHED' },
        next: { status: 'REJECTED', reason: 'Advertises another shop.' },
      },
    ]);
  });

  test('200: a waiting review was never counted', async () => {
    const { id, productId } = await make.review(shop.db, { status: 'PENDING' });
    expect(resultOf(await reject(id))).toBe('200');
    expect((await shop.ratings(productId)).stored).toEqual([0, 0, 0, 0, 0]);
    expect(await recordsOf(id)).toMatchObject([
      { previous: { status: 'PENDING' }, next: { status: 'REJECTED' } },
    ]);
  });

  test('200: rejected by ten at once, it is removed from the ratings once', async () => {
    const { id, productId } = await make.review(shop.db);
    await make.review(shop.db, { productId });
    const answers = await Promise.all(Array.from({ length: 10 }, () => reject(id)));
    expect(resultCounts(answers)).toEqual({ '200': 10 });
    expect((await shop.ratings(productId)).stored).toEqual([0, 0, 0, 0, 1]);
    expect(await recordsOf(id)).toHaveLength(1);
  });

  test('400 VALIDATION_ERROR for a reason too long, 404 REVIEW_NOT_FOUND for an unknown id', async () => {
    const { id } = await make.review(shop.db);
    expect(resultOf(await reject(id, { reason: 'x'.repeat(501) }))).toBe('400 VALIDATION_ERROR');
    expect(resultOf(await reject(randomUUID()))).toBe('404 REVIEW_NOT_FOUND');
  });
});

describe('POST /admin/reviews/:id/respond', () => {
  const respond = (id: string, body: object, as = `${admin}:ADMIN`) =>
    shop.ask('post', `/admin/reviews/${id}/respond`, { as, body });

  test('200: everyone reads the answer, and the next one replaces it', async () => {
    const { id, productId } = await make.review(shop.db);
    const answer = await respond(id, { content: ' Thank you! ' });
    expect(answer.status).toBe(200);
    const { response, updatedAt } = ModeratedReview.parse(answer.body.data);
    expect(response).toEqual({ content: 'Thank you!', respondedAt: updatedAt });
    const shown = async () => {
      const { body } = await shop.ask('get', `/products/${productId}/reviews`);
      return body.data.reviews[0];
    };
    expect(await shown()).toMatchObject({ response, updatedAt });
    await respond(id, { content: 'Thanks again!' });
    expect((await shown()).response.content).toBe('Thanks again!');
    expect(await recordsOf(id)).toEqual([
      {
        actorId: admin,
        action: 'review.respond',
        previous: { response: null },
        next: { response: 'Thank you!' },
      },
      {
        actorId: admin,
        action: 'review.respond',
        previous: { response: 'Thank you!' },
        next: { response: 'Thanks again!' },
      },
    ]);
    expect((await shop.ratings(productId)).stored).toEqual([0, 0, 0, 0, 1]);
  });

  test('200: the same answer again changes nothing', async () => {
    const { id } = await make.review(shop.db);
    const first = await respond(id, { content: 'Thank you!' });
    const second = await respond(id, { content: 'Thank you!' });
    expect(second.body).toEqual(first.body);
    expect(await recordsOf(id)).toHaveLength(1);
  });

  test('400 VALIDATION_ERROR without words or with too many, 404 REVIEW_NOT_FOUND for an unknown id', async () => {
    const { id } = await make.review(shop.db);
    for (const content of [undefined, '', '   ', 'x'.repeat(2_001), 7])
      expect(resultOf(await respond(id, { content }))).toBe('400 VALIDATION_ERROR');
    expect(resultOf(await respond(randomUUID(), { content: 'Thank you!' }))).toBe('404 REVIEW_NOT_FOUND');
  });
});

import { randomUUID } from 'node:crypto';
import { make } from '../../../support/builders/make';
import { ModeratedReview, ownReviewing, resultOf, resultCounts } from '../../products/reviews/reviewing';
import { recordsOf } from './audit-records';

const shop = ownReviewing();
let admin: string;
beforeAll(async () => {
  admin = (await make.admin(shop.db)).id;
});

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
  expect(await recordsOf(shop.db, id)).toEqual([
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
  expect(await recordsOf(shop.db, id)).toMatchObject([
    { previous: { status: 'PENDING' }, next: { status: 'REJECTED' } },
  ]);
});

test('200: rejected by ten at once, it is removed from the ratings once', async () => {
  const { id, productId } = await make.review(shop.db);
  await make.review(shop.db, { productId });
  const answers = await Promise.all(Array.from({ length: 10 }, () => reject(id)));
  expect(resultCounts(answers)).toEqual({ '200': 10 });
  expect((await shop.ratings(productId)).stored).toEqual([0, 0, 0, 0, 1]);
  expect(await recordsOf(shop.db, id)).toHaveLength(1);
});

test('400 VALIDATION_ERROR for a reason too long, 404 REVIEW_NOT_FOUND for an unknown id', async () => {
  const { id } = await make.review(shop.db);
  expect(resultOf(await reject(id, { reason: 'x'.repeat(501) }))).toBe('400 VALIDATION_ERROR');
  expect(resultOf(await reject(randomUUID()))).toBe('404 REVIEW_NOT_FOUND');
});

test('401 UNAUTHORIZED without a token, 403 FORBIDDEN for users', async () => {
  const { id, userId } = await make.review(shop.db);
  expect(resultOf(await shop.ask('post', `/admin/reviews/${id}/reject`, { body: {} }))).toBe(
    '401 UNAUTHORIZED',
  );
  expect(resultOf(await reject(id, {}, userId))).toBe('403 FORBIDDEN');
});

import { randomUUID } from 'node:crypto';
import { make } from '../../../support/builders/make';
import { ModeratedReview, ownReviewing, resultOf, resultCounts } from '../../products/reviews/reviewing';
import { recordsOf } from './audit-records';

const shop = ownReviewing();
let admin: string;
beforeAll(async () => {
  admin = (await make.admin(shop.db)).id;
});

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
    expect(await recordsOf(shop.db, id)).toEqual([
      { actorId: admin, action: 'review.publish', previous: { status }, next: { status: 'PUBLISHED' } },
    ]);
  },
);

test('200: published by ten at once, it is counted and recorded once', async () => {
  const { id, productId } = await make.review(shop.db, { status: 'PENDING' });
  const answers = await Promise.all(Array.from({ length: 10 }, () => publish(id)));
  expect(resultCounts(answers)).toEqual({ '200': 10 });
  expect((await shop.ratings(productId)).stored).toEqual([0, 0, 0, 0, 1]);
  expect(await recordsOf(shop.db, id)).toHaveLength(1);
});

test('400 VALIDATION_ERROR for an invalid id, 404 REVIEW_NOT_FOUND for an unknown id', async () => {
  expect(resultOf(await publish('1'))).toBe('400 VALIDATION_ERROR');
  expect(resultOf(await publish(randomUUID()))).toBe('404 REVIEW_NOT_FOUND');
});

test('401 UNAUTHORIZED without a token, 403 FORBIDDEN for users, its author too', async () => {
  const { id, userId } = await make.review(shop.db, { status: 'PENDING' });
  expect(resultOf(await shop.ask('post', `/admin/reviews/${id}/publish`))).toBe('401 UNAUTHORIZED');
  expect(resultOf(await publish(id, userId))).toBe('403 FORBIDDEN');
  expect(await recordsOf(shop.db, id)).toEqual([]);
});

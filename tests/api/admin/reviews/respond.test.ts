import { randomUUID } from 'node:crypto';
import { make } from '../../../support/builders/make';
import { ModeratedReview, ownReviewing, resultOf } from '../../products/reviews/reviewing';
import { recordsOf } from './audit-records';

const shop = ownReviewing();
let admin: string;
beforeAll(async () => {
  admin = (await make.admin(shop.db)).id;
});

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
  expect(await recordsOf(shop.db, id)).toEqual([
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
  expect(await recordsOf(shop.db, id)).toHaveLength(1);
});

test('400 VALIDATION_ERROR without words or with too many, 404 REVIEW_NOT_FOUND for an unknown id', async () => {
  const { id } = await make.review(shop.db);
  for (const content of [undefined, '', '   ', 'x'.repeat(2_001), 7])
    expect(resultOf(await respond(id, { content }))).toBe('400 VALIDATION_ERROR');
  expect(resultOf(await respond(randomUUID(), { content: 'Thank you!' }))).toBe('404 REVIEW_NOT_FOUND');
});

test('401 UNAUTHORIZED without a token, 403 FORBIDDEN for users', async () => {
  const { id, userId } = await make.review(shop.db);
  const body = { content: 'Thank you!' };
  expect(resultOf(await shop.ask('post', `/admin/reviews/${id}/respond`, { body }))).toBe('401 UNAUTHORIZED');
  expect(resultOf(await respond(id, body, userId))).toBe('403 FORBIDDEN');
});

import { randomUUID } from 'node:crypto';
import { firstRow } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { ownReviewing, resultOf, resultCounts } from '../reviewing';

const shop = ownReviewing();

const pathOf = ({ productId, id }: { productId: string; id: string }) =>
  `/products/${productId}/reviews/${id}/helpful`;
const takeBack = (review: { productId: string; id: string }, as?: string) =>
  shop.ask('delete', pathOf(review), { as });
const countOf = async (id: string) =>
  (await firstRow<{ count: number }>(shop.db, 'SELECT helpful_count AS count FROM reviews WHERE id = $1', [
    id,
  ]))!.count;

test('200: a withdrawn vote no longer counts, and only the caller’s own is withdrawn', async () => {
  const [ada, bob] = [(await make.user(shop.db)).id, (await make.user(shop.db)).id];
  const review = await make.review(shop.db, { helpfulTo: [ada, bob] });
  for (let n = 0; n < 2; n++) {
    const { status, body } = await takeBack(review, ada);
    expect([status, body.data]).toEqual([200, { reviewId: review.id, helpfulCount: 1, isHelpful: false }]);
  }
  const withoutVote = await takeBack(review, (await make.user(shop.db)).id);
  expect([withoutVote.status, withoutVote.body.data.helpfulCount]).toEqual([200, 1]);
});

test('withdrawn ten times at once, it is withdrawn once', async () => {
  const [ada, bob] = [(await make.user(shop.db)).id, (await make.user(shop.db)).id];
  const review = await make.review(shop.db, { helpfulTo: [ada, bob] });
  const answers = await Promise.all(Array.from({ length: 10 }, () => takeBack(review, ada)));
  expect(resultCounts(answers)).toEqual({ '200': 10 });
  expect(await countOf(review.id)).toBe(1);
});

test('401 UNAUTHORIZED without a token', async () => {
  expect(resultOf(await takeBack(await make.review(shop.db)))).toBe('401 UNAUTHORIZED');
});

test('404 PRODUCT_NOT_FOUND and REVIEW_NOT_FOUND', async () => {
  const { id } = await make.user(shop.db);
  const review = await make.review(shop.db, { status: 'PENDING' });
  expect(resultOf(await takeBack(review, id))).toBe('404 REVIEW_NOT_FOUND');
  expect(resultOf(await takeBack({ ...review, productId: randomUUID() }, id))).toBe('404 PRODUCT_NOT_FOUND');
});

import { randomUUID } from 'node:crypto';
import { firstRow } from '../../../../../db/sql/query';
import { make } from '../../../../support/builders/make';
import { ownReviewing, resultCounts, resultOf } from '../reviewing';

const shop = ownReviewing();

const pathOf = ({ productId, id }: { productId: string; id: string }) =>
  `/products/${productId}/reviews/${id}/helpful`;

describe('POST /products/:id/reviews/:reviewId/helpful', () => {
  const reader = async () => (await make.user(shop.db)).id;
  const stored = (id: string) =>
    firstRow<{ count: number; votes: number }>(
      shop.db,
      `SELECT helpful_count AS count, (SELECT count(*)::int FROM review_votes WHERE review_id = r.id) AS votes
     FROM reviews r WHERE id = $1`,
      [id],
    );

  test('200: a repeated vote counts once', async () => {
    const review = await make.review(shop.db);
    const ada = await reader();
    for (let n = 0; n < 3; n++) {
      const { status, body } = await shop.ask('post', pathOf(review), { as: ada });
      expect([status, body.data]).toEqual([200, { reviewId: review.id, helpfulCount: 1, isHelpful: true }]);
    }
    const { body } = await shop.ask('post', pathOf(review), { as: await reader() });
    expect(body.data.helpfulCount).toBe(2);
    expect(await stored(review.id)).toEqual({ count: 2, votes: 2 });
    const list = await shop.ask('get', `/products/${review.productId}/reviews`, { as: ada });
    expect(list.body.data.reviews).toMatchObject([{ helpfulCount: 2, isHelpful: true }]);
  });

  test('thirty users at once, one of them ten times: each counts once', async () => {
    const review = await make.review(shop.db);
    const readers = await Promise.all(Array.from({ length: 30 }, reader));
    const voters = [...readers, ...Array.from({ length: 10 }, () => readers[0]!)];
    const answers = await Promise.all(voters.map((as) => shop.ask('post', pathOf(review), { as })));
    expect(resultCounts(answers)).toEqual({ '200': 40 });
    expect(await stored(review.id)).toEqual({ count: 30, votes: 30 });
  });

  test('votes added and withdrawn at once: the count equals the votes left', async () => {
    const review = await make.review(shop.db);
    const readers = await Promise.all(Array.from({ length: 10 }, reader));
    const answers = await Promise.all(
      readers.flatMap((as) =>
        (['post', 'delete', 'post', 'delete'] as const).map((method) =>
          shop.ask(method, pathOf(review), { as }),
        ),
      ),
    );
    expect(resultCounts(answers)).toEqual({ '200': 40 });
    const { count, votes } = (await stored(review.id))!;
    expect(count).toBe(votes);
  });

  test('400 VALIDATION_ERROR for an invalid id', async () => {
    const answer = await shop.ask('post', `/products/${randomUUID()}/reviews/1/helpful`, {
      as: await reader(),
    });
    expect(resultOf(answer)).toBe('400 VALIDATION_ERROR');
  });

  test('403 FORBIDDEN for one’s own review', async () => {
    const review = await make.review(shop.db);
    expect(resultOf(await shop.ask('post', pathOf(review), { as: review.userId }))).toBe('403 FORBIDDEN');
    expect(await stored(review.id)).toEqual({ count: 0, votes: 0 });
  });

  test('404 PRODUCT_NOT_FOUND for a product that visitors do not see', async () => {
    const as = await reader();
    const { id: productId } = await make.product(shop.db, { status: 'ARCHIVED' });
    const review = await make.review(shop.db, { productId });
    expect(resultOf(await shop.ask('post', pathOf(review), { as }))).toBe('404 PRODUCT_NOT_FOUND');
    const nowhere = { productId: randomUUID(), id: review.id };
    expect(resultOf(await shop.ask('post', pathOf(nowhere), { as }))).toBe('404 PRODUCT_NOT_FOUND');
  });

  test('404 REVIEW_NOT_FOUND for a review that is not published or of another product', async () => {
    const as = await reader();
    const { id: productId } = await make.product(shop.db);
    const hidden = [
      await make.review(shop.db, { productId, status: 'PENDING' }),
      await make.review(shop.db, { productId, status: 'REJECTED' }),
      { ...(await make.review(shop.db)), productId },
      { id: randomUUID(), productId },
    ];
    for (const review of hidden)
      expect(resultOf(await shop.ask('post', pathOf(review), { as }))).toBe('404 REVIEW_NOT_FOUND');
  });
});

describe('DELETE /products/:id/reviews/:reviewId/helpful', () => {
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

  test('404 PRODUCT_NOT_FOUND and REVIEW_NOT_FOUND', async () => {
    const { id } = await make.user(shop.db);
    const review = await make.review(shop.db, { status: 'PENDING' });
    expect(resultOf(await takeBack(review, id))).toBe('404 REVIEW_NOT_FOUND');
    expect(resultOf(await takeBack({ ...review, productId: randomUUID() }, id))).toBe(
      '404 PRODUCT_NOT_FOUND',
    );
  });
});

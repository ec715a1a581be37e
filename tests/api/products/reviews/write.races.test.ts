import { rows } from '../../../../db/sql/query';
import { make } from '../../../support/builders/make';
import { ownReviewing, resultCounts } from './reviewing';

const shop = ownReviewing();
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

import { v7 } from 'uuid';
import { writeReview } from '../../../../api/products/reviews/write.command';
import type { NewReview } from '../../../../db/catalog/review/review.writes';
import { firstRow } from '../../../../db/sql/query';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';

const own = ownDatabase();

async function newReview(): Promise<NewReview> {
  const [product, user] = [await make.product(own.db), await make.user(own.db)];
  await make.purchase(own.db, { userId: user.id, productId: product.id });
  const words = { title: null, content: 'It does what it should.', pros: [], cons: [] };
  return {
    ...{ id: v7(), productId: product.id, userId: user.id, rating: 4 },
    ...{ ...words, at: new Date() },
  };
}
const ratings = async ({ productId }: NewReview) =>
  (await firstRow<{ ratings: number[] }>(own.db, 'SELECT ratings FROM products WHERE id = $1', [productId]))!
    .ratings;

test('a request repeated after its answer was lost finds its own review, counted once', async () => {
  const review = await newReview();
  const first = await writeReview(own.db, review);
  const again = await writeReview(own.db, { ...review, at: new Date() });
  expect(first).toMatchObject({ id: review.id, status: 'PUBLISHED', createdAt: review.at });
  expect(again).toEqual(first);
  expect(await ratings(review)).toEqual([0, 0, 0, 1, 0]);
});

test('a second review of the same buyer is refused and changes nothing', async () => {
  const review = await newReview();
  await writeReview(own.db, review);
  await expect(writeReview(own.db, { ...review, id: v7(), rating: 1 })).rejects.toMatchObject({
    type: 'ALREADY_REVIEWED',
  });
  expect(await ratings(review)).toEqual([0, 0, 0, 1, 0]);
});

import { brokenInvariants } from '../../../../db/invariants/broken.reads';
import { eraseAccount } from '../../../../db/identity/account-deletion/erasure.transitions';
import { rows } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { ownDatabase } from '../../../support/servers/database';
import { make } from '../../../support/builders/make';

const own = ownDatabase();

const erase = (userId: string) => inTransaction(own.db, (tx) => eraseAccount(tx, userId, new Date()));
const reviewsLeft = (ids: string[]) =>
  rows<{ id: string; status: string; helpfulCount: number }>(
    own.db,
    `SELECT id, status, helpful_count FROM reviews WHERE id = ANY($1::uuid[]) ORDER BY id`,
    [ids],
  );
const broken = async () =>
  (await brokenInvariants(own.db)).filter(({ invariant }) => invariant.startsWith('review.'));

test('published reviews of an erased author stay and count, unpublished ones are deleted', async () => {
  const [ada, bob] = [await make.user(own.db), await make.user(own.db)];
  const by = { userId: ada.id, helpfulTo: [bob.id] };
  const published = await make.review(own.db, { ...by, rating: 2 });
  const pending = await make.review(own.db, { userId: ada.id, status: 'PENDING' });
  const rejected = await make.review(own.db, { ...by, status: 'REJECTED' });
  await erase(ada.id);
  expect(await reviewsLeft([published.id, pending.id, rejected.id])).toEqual([
    { id: published.id, status: 'PUBLISHED', helpfulCount: 1 },
  ]);
  const [product] = await rows(own.db, 'SELECT ratings FROM products WHERE id = $1', [published.productId]);
  expect(product).toEqual({ ratings: [0, 1, 0, 0, 0] });
  expect(await broken()).toEqual([]);
});

test('their votes no longer count', async () => {
  const [ada, bob] = [await make.user(own.db), await make.user(own.db)];
  const both = await make.review(own.db, { helpfulTo: [ada.id, bob.id] });
  const hers = await make.review(own.db, { helpfulTo: [ada.id], status: 'REJECTED' });
  const his = await make.review(own.db, { helpfulTo: [bob.id] });
  await erase(ada.id);
  const counts = (await reviewsLeft([both.id, hers.id, his.id])).map(({ helpfulCount }) => helpfulCount);
  expect(counts).toEqual([1, 0, 1]);
  expect(await rows(own.db, 'SELECT 1 FROM review_votes WHERE user_id = $1', [ada.id])).toEqual([]);
  expect(await broken()).toEqual([]);
});

test('ten voters for the same reviews are erased at once', async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => make.user(own.db)));
  const helpfulTo = people.map(({ id }) => id);
  const reviews = await Promise.all([1, 2, 3, 4].map(() => make.review(own.db, { helpfulTo })));
  await Promise.all(helpfulTo.map(erase));
  const counts = (await reviewsLeft(reviews.map(({ id }) => id))).map(({ helpfulCount }) => helpfulCount);
  expect(counts).toEqual([0, 0, 0, 0]);
  expect(await broken()).toEqual([]);
});

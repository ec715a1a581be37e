import { countRating } from '../../../db/catalog/product/rating.writes';
import {
  blockedWords,
  insertReview,
  purchaseOf,
  reviewOf,
  type NewReview,
  type WrittenReview,
} from '../../../db/catalog/review/review.writes';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { statusOfNew } from '../../../workflows/catalog/review/review.rules';
import { refusal } from '../../../workflows/errors';

/**
 * Stores a buyer's review and, if it is published at once, counts its rating. Writing the same id again returns the
 * review as first written. Refused: PRODUCT_NOT_FOUND, NOT_PURCHASED, ALREADY_REVIEWED.
 */
export async function writeReview(db: Db, review: NewReview): Promise<WrittenReview> {
  const texts = [review.title ?? '', review.content, ...review.pros, ...review.cons];
  const status = statusOfNew(texts, await blockedWords(db));
  return inTransaction(db, async (tx) => {
    const purchase = await purchaseOf(tx, review);
    if (!purchase) throw refusal('PRODUCT_NOT_FOUND');
    if (!purchase.isBought) throw refusal('NOT_PURCHASED');
    const written = await insertReview(tx, { ...review, status });
    if (!written) return earlierReview(tx, review);
    if (written.status === 'PUBLISHED') await countRating(tx, review.productId, written.rating, 1);
    return written;
  });
}

async function earlierReview(tx: Tx, review: NewReview): Promise<WrittenReview> {
  const earlier = await reviewOf(tx, review);
  if (earlier?.id !== review.id) throw refusal('ALREADY_REVIEWED');
  return earlier;
}

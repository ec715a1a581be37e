import type { ReviewStatus } from '../../../workflows/catalog/review/review.rules';
import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';
import { VISIBLE } from '../product/shop-product-filter.reads';
import { hasBought } from './review-columns.reads';

/** A buyer's review of a product. */
export interface NewReview {
  id: string;
  productId: string;
  userId: string;
  rating: number;
  title: string | null;
  content: string;
  pros: readonly string[];
  cons: readonly string[];
  at: Date;
}

/** A review as its author is shown it. */
export interface WrittenReview {
  id: string;
  rating: number;
  title: string | null;
  content: string;
  pros: string[];
  cons: string[];
  status: ReviewStatus;
  createdAt: Date;
}

interface LockedReview {
  productId: string;
  rating: number;
  status: ReviewStatus;
  response: string | null;
}

const WRITTEN = 'id, rating, title, content, pros, cons, status, created_at';

/** The words that make a review wait for an administrator. */
export const blockedWords = async (db: Db): Promise<string[]> =>
  (await rows<{ word: string }>(db, 'SELECT word FROM blocked_words')).map(({ word }) => word);

/** Whether a user has bought a product; null if visitors see no such product. */
export async function purchaseOf(
  tx: Tx,
  { productId, userId }: { productId: string; userId: string },
): Promise<{ isBought: boolean } | null> {
  return firstRow<{ isBought: boolean }>(
    tx,
    `SELECT ${hasBought('$2', 'p.id')} AS is_bought FROM products p WHERE p.id = $1 AND ${VISIBLE}`,
    [productId, userId],
  );
}

/** Inserts a review; null if its author has reviewed the product before. */
export const insertReview = (
  tx: Tx,
  review: NewReview & { status: ReviewStatus },
): Promise<WrittenReview | null> =>
  firstRow<WrittenReview>(
    tx,
    `INSERT INTO reviews (id, product_id, user_id, rating, title, content, pros, cons, status, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7::text[], $8::text[], $9, $10)
     ON CONFLICT ON CONSTRAINT reviews_one_per_buyer_key DO NOTHING RETURNING ${WRITTEN}`,
    [
      review.id,
      review.productId,
      review.userId,
      review.rating,
      review.title,
      review.content,
      review.pros,
      review.cons,
      review.status,
      review.at,
    ],
  );

/** A user's review of a product, or null. */
export const reviewOf = (
  tx: Tx,
  { productId, userId }: { productId: string; userId: string },
): Promise<WrittenReview | null> =>
  firstRow<WrittenReview>(tx, `SELECT ${WRITTEN} FROM reviews WHERE product_id = $1 AND user_id = $2`, [
    productId,
    userId,
  ]);

/** A review, locked until the end of the transaction; null if it does not exist. */
export const lockReview = (tx: Tx, reviewId: string): Promise<LockedReview | null> =>
  firstRow<LockedReview>(
    tx,
    'SELECT product_id, rating, status, response FROM reviews WHERE id = $1 FOR NO KEY UPDATE',
    [reviewId],
  );

export async function setReviewStatus(
  tx: Tx,
  reviewId: string,
  status: ReviewStatus,
  at: Date,
): Promise<void> {
  await execute(tx, 'UPDATE reviews SET status = $2, updated_at = $3 WHERE id = $1', [reviewId, status, at]);
}

/** Sets the shop's public answer to a review. */
export async function setReviewResponse(tx: Tx, reviewId: string, response: string, at: Date): Promise<void> {
  await execute(tx, 'UPDATE reviews SET response = $2, responded_at = $3, updated_at = $3 WHERE id = $1', [
    reviewId,
    response,
    at,
  ]);
}

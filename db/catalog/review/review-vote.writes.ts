import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { VISIBLE } from '../shop/shop-product-filter.reads';
import { ReviewVote } from './review-vote.model';

/** A user's vote that a review is helpful. */
export interface Vote {
  productId: string;
  reviewId: string;
  userId: string;
}

/** True if visitors see a product of this id. */
export const isVisibleProduct = async (tx: Tx, productId: string): Promise<boolean> =>
  (await firstRow(tx, `SELECT 1 AS one FROM products p WHERE p.id = $1 AND ${VISIBLE}`, [productId])) !==
  null;

/** A published review, locked against moderation and other votes; null if the product has no such review. */
export const lockPublishedReview = (
  tx: Tx,
  { productId, reviewId }: Pick<Vote, 'productId' | 'reviewId'>,
): Promise<{ authorId: string; helpfulCount: number } | null> =>
  firstRow<{ authorId: string; helpfulCount: number }>(
    tx,
    `SELECT user_id AS author_id, helpful_count FROM reviews
     WHERE id = $1 AND product_id = $2 AND status = 'PUBLISHED' FOR NO KEY UPDATE`,
    [reviewId, productId],
  );

/** Inserts a vote; returns 0 if it exists already, else 1. */
export const insertVote = (tx: Tx, { reviewId, userId }: Vote, at: Date): Promise<number> =>
  execute(
    tx,
    `INSERT INTO review_votes (review_id, user_id, created_at) VALUES ($1, $2, $3)
     ON CONFLICT ON CONSTRAINT review_votes_pkey DO NOTHING`,
    [reviewId, userId, at],
  );

/** Removes a vote; returns 0 if there was none, else 1. */
export const removeVote = (tx: Tx, { reviewId, userId }: Vote): Promise<number> =>
  table(tx, ReviewVote).remove({ reviewId, userId });

/** Adds to the number of votes of a review that the caller has locked; nothing for 0. */
export async function addToHelpfulCount(tx: Tx, reviewId: string, change: number): Promise<void> {
  if (change !== 0)
    await execute(tx, 'UPDATE reviews SET helpful_count = helpful_count + $2::int WHERE id = $1', [
      reviewId,
      change,
    ]);
}

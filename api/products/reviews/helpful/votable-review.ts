import {
  isVisibleProduct,
  lockPublishedReview,
  type Vote,
} from '../../../../db/catalog/review/review-vote.writes';
import type { Tx } from '../../../../db/sql/query';
import { refusal } from '../../../../workflows/errors';

/**
 * Locks the review that is voted on, so that hiding it comes before or after the vote. Refused: PRODUCT_NOT_FOUND,
 * REVIEW_NOT_FOUND. Chosen: FORBIDDEN for one's own review, as the contract has no code for it.
 */
export async function requireVotableReview(tx: Tx, vote: Vote): Promise<{ helpfulCount: number }> {
  const { productId, userId } = vote;
  if (!(await isVisibleProduct(tx, productId))) throw refusal('PRODUCT_NOT_FOUND');
  const review = await lockPublishedReview(tx, vote);
  if (!review) throw refusal('REVIEW_NOT_FOUND');
  if (review.authorId === userId) throw refusal('FORBIDDEN', 'You cannot vote for your own review.');
  return review;
}

import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { VISIBLE } from '../product/product-filter.reads';

/** Whose vote it is, and on which review of which product. */
export interface Vote {
  productId: string;
  reviewId: string;
  userId: string;
}

export type VotingOutcome =
  | { outcome: 'done'; helpfulCount: number }
  | { outcome: 'unknown product' | 'unknown review' | 'own review' };

/** Counts a review as helpful to somebody, once however often they say so. */
export const findHelpful = (db: Db, vote: Vote, at: Date): Promise<VotingOutcome> =>
  voting(db, vote, (tx) =>
    execute(
      tx,
      `INSERT INTO review_votes (review_id, user_id, created_at) VALUES ($1, $2, $3)
       ON CONFLICT ON CONSTRAINT review_votes_pkey DO NOTHING`,
      [vote.reviewId, vote.userId, at],
    ),
  );

/** Takes that back; nothing happens to who never said so. */
export const findHelpfulNoMore = (db: Db, vote: Vote): Promise<VotingOutcome> =>
  voting(db, vote, async (tx) => {
    const wasThere = await execute(tx, 'DELETE FROM review_votes WHERE review_id = $1 AND user_id = $2', [
      vote.reviewId,
      vote.userId,
    ]);
    return -wasThere;
  });

/** `change` says by how much the count moves. The review is locked: whoever hides it comes before or after the vote. */
const voting = (db: Db, vote: Vote, change: (tx: Tx) => Promise<number>): Promise<VotingOutcome> =>
  inTransaction(db, async (tx) => {
    const { productId, reviewId, userId } = vote;
    const product = await firstRow(tx, `SELECT 1 AS one FROM products p WHERE p.id = $1 AND ${VISIBLE}`, [
      productId,
    ]);
    if (!product) return { outcome: 'unknown product' };
    const review = await firstRow<{ authorId: string; helpfulCount: number }>(
      tx,
      `SELECT user_id AS author_id, helpful_count FROM reviews
       WHERE id = $1 AND product_id = $2 AND status = 'PUBLISHED' FOR NO KEY UPDATE`,
      [reviewId, productId],
    );
    if (!review) return { outcome: 'unknown review' };
    if (review.authorId === userId) return { outcome: 'own review' };
    const by = await change(tx);
    if (by !== 0)
      await execute(tx, 'UPDATE reviews SET helpful_count = helpful_count + $2::int WHERE id = $1', [
        reviewId,
        by,
      ]);
    return { outcome: 'done', helpfulCount: review.helpfulCount + by };
  });

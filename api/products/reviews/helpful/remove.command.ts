import { addToHelpfulCount, removeVote, type Vote } from '../../../../db/catalog/review/review-vote.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { requireVotableReview } from './votable-review';

/** Withdraws a vote that a review is helpful, if there is one. Returns the number of votes for the review. */
export const removeHelpfulVote = (db: Db, vote: Vote): Promise<{ helpfulCount: number }> =>
  inTransaction(db, async (tx) => {
    const { helpfulCount } = await requireVotableReview(tx, vote);
    const removed = await removeVote(tx, vote);
    await addToHelpfulCount(tx, vote.reviewId, -removed);
    return { helpfulCount: helpfulCount - removed };
  });

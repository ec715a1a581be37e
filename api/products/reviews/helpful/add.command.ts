import { addToHelpfulCount, insertVote, type Vote } from '../../../../db/catalog/review/review-vote.writes';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { requireVotableReview } from './votable-review';

/** Votes that a review is helpful; a repeated vote counts once. Returns the number of votes for the review. */
export const addHelpfulVote = (db: Db, vote: Vote, at: Date): Promise<{ helpfulCount: number }> =>
  inTransaction(db, async (tx) => {
    const { helpfulCount } = await requireVotableReview(tx, vote);
    const added = await insertVote(tx, vote, at);
    await addToHelpfulCount(tx, vote.reviewId, added);
    return { helpfulCount: helpfulCount + added };
  });

import { z } from 'zod';
import type { VotingOutcome } from '../../../../db/catalog/review/review-vote.writes';
import { refusal } from '../../../../workflows/errors';
import { uuid } from '../../../http/request/fields';

export const oneReview = z.object({ id: uuid(), reviewId: uuid() });

export const VoteView = z
  .object({ reviewId: z.uuid(), helpfulCount: z.int(), isHelpful: z.boolean() })
  .meta({ id: 'HelpfulVote' });

/** How a vote went; throws the refusal where it did not. */
export function voteView(
  { id, reviewId }: z.output<typeof oneReview>,
  done: VotingOutcome,
  isHelpful: boolean,
): z.input<typeof VoteView> {
  switch (done.outcome) {
    case 'unknown product':
      throw refusal('PRODUCT_NOT_FOUND', `There is no product ${id}.`);
    case 'unknown review':
      throw refusal('REVIEW_NOT_FOUND', `There is no review ${reviewId} of this product.`);
    // Chosen: the contract names no code for it, and nobody may vote for themselves.
    case 'own review':
      throw refusal('FORBIDDEN', 'Whether your own review is helpful is for others to say.');
    case 'done':
      return { reviewId, helpfulCount: done.helpfulCount, isHelpful };
  }
}

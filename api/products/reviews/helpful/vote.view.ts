import { z } from 'zod';
import type { Vote } from '../../../../db/catalog/review/review-vote.writes';
import { productReference } from '../../../http/request/ids/references';
import { idOf } from '../../../http/request/ids/id-of';

export const oneReview = z.object({
  id: productReference(),
  reviewId: idOf('review', 'PUBLISHED'),
});

export const VoteView = z
  .object({
    reviewId: z.uuid().describe('Identifies the review; a UUID.'),
    helpfulCount: z.int().describe('How many found the review helpful.'),
    isHelpful: z.boolean().describe('True if the caller now votes for the review.'),
  })
  .meta({ id: 'HelpfulVote' });

/** The vote of a caller on the review that the path names. */
export const voteOf = ({ id, reviewId }: z.output<typeof oneReview>, caller: { id: string }): Vote => ({
  productId: id,
  reviewId,
  userId: caller.id,
});

import { endpoint } from '../../../http/endpoint';
import { generalLimit } from '../../../http/limits/limits';
import { addHelpfulVote } from './add.command';
import { oneReview, voteOf, VoteView } from './vote.view';

export const addHelpful = endpoint({
  id: 'voteReviewHelpful',
  returns: 'The number of votes',
  method: 'post',
  path: '/products/:id/reviews/:reviewId/helpful',
  summary: 'Vote that a review is helpful',
  description: 'A repeated vote counts once. Not for one’s own review (FORBIDDEN).',
  tag: 'Reviews',
  auth: 'user',
  limit: generalLimit,

  params: oneReview,
  success: 200,
  data: VoteView,
  errors: { PRODUCT_NOT_FOUND: 404, REVIEW_NOT_FOUND: 404 },

  async handle({ params }, { caller, db }) {
    const { helpfulCount } = await addHelpfulVote(db, voteOf(params, caller), new Date());
    return { reviewId: params.reviewId, helpfulCount, isHelpful: true };
  },
});

import { endpoint } from '../../../http/endpoint';
import { generalLimit } from '../../../http/limits/limits';
import { removeHelpfulVote } from './remove.command';
import { oneReview, voteOf, VoteView } from './vote.view';

export const removeHelpful = endpoint({
  id: 'withdrawReviewVote',
  returns: 'The number of votes',
  method: 'delete',
  path: '/products/:id/reviews/:reviewId/helpful',
  summary: 'Withdraw the vote that a review is helpful',
  description: 'Without such a vote, nothing changes.',
  tag: 'Reviews',
  auth: 'user',
  limit: generalLimit,

  params: oneReview,
  success: 200,
  data: VoteView,
  errors: { PRODUCT_NOT_FOUND: 404, REVIEW_NOT_FOUND: 404 },

  async handle({ params }, { caller, db }) {
    const { helpfulCount } = await removeHelpfulVote(db, voteOf(params, caller));
    return { reviewId: params.reviewId, helpfulCount, isHelpful: false };
  },
});

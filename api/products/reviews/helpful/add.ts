import { findHelpful } from '../../../../db/catalog/review/review-vote.writes';
import { endpoint } from '../../../http/endpoint';
import { generalLimit } from '../../../http/limits/limits';
import { oneReview, voteView, VoteView } from './vote.view';

export const addHelpfulEndpoint = endpoint({
  method: 'post',
  path: '/products/:id/reviews/:reviewId/helpful',
  summary: 'Say that a review is helpful',
  description: 'Said twice, it counts once. Not for one’s own review (FORBIDDEN).',
  tag: 'Reviews',
  auth: 'user',
  limit: generalLimit,

  params: oneReview,
  success: 200,
  data: VoteView,
  errors: { PRODUCT_NOT_FOUND: 404, REVIEW_NOT_FOUND: 404 },

  async handle({ params }, { caller, db }) {
    const vote = { productId: params.id, reviewId: params.reviewId, userId: caller.id };
    return voteView(params, await findHelpful(db, vote, new Date()), true);
  },
});

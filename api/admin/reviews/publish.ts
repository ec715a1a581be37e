import { moderateReview } from '../../../db/catalog/review/review-moderation.writes';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { AdminReview, decided, oneReview } from './admin-review.view';

export const publishReviewEndpoint = endpoint({
  method: 'post',
  path: '/admin/reviews/:id/publish',
  summary: 'Show a review',
  description: 'From then on it counts among the ratings of the product. Shown already, nothing changes.',
  tag: 'Administration: reviews',
  auth: 'admin',
  limit: perMinute(200),

  params: oneReview,
  success: 200,
  data: AdminReview,
  errors: { REVIEW_NOT_FOUND: 404 },

  async handle({ params: { id } }, { caller, db, request }) {
    const by = { id: caller.id, clientAddress: request.clientAddress };
    return decided(await moderateReview(db, { reviewId: id, status: 'PUBLISHED', reason: null, by }));
  },
});

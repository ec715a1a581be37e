import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { AdminReview, adminReviewView, oneReview } from './admin-review.view';
import { moderateReview } from './moderate.command';

export const publishReview = endpoint({
  id: 'publishReview',
  returns: 'The published review',
  method: 'post',
  path: '/admin/reviews/:id/publish',
  summary: 'Publish a review',
  description:
    'From then on its rating counts for the product. A review that is published already stays as it is.',
  tag: 'Administration: reviews',
  auth: 'admin',
  limit: perMinute(200),

  params: oneReview,
  success: 200,
  data: AdminReview,
  errors: { REVIEW_NOT_FOUND: 404 },

  async handle({ params: { id } }, { caller, db, request }) {
    const moderation = { reviewId: id, status: 'PUBLISHED', reason: null } as const;
    return adminReviewView(await moderateReview(db, moderation, actorOf({ caller, request })));
  },
});

import { z } from 'zod';
import { respondToReview } from '../../../db/catalog/review/review-moderation.writes';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { AdminReview, decided, oneReview } from './admin-review.view';

const RespondRequest = z
  .object({
    content: text({ min: 1, max: 2_000 }).meta({ example: 'Thank you! The hinge is better since March.' }),
  })
  .meta({ id: 'ReviewResponseRequest' });

export const respondToReviewEndpoint = endpoint({
  method: 'post',
  path: '/admin/reviews/:id/respond',
  summary: 'Answer a review in public',
  description: 'Takes the place of an earlier answer; it is seen once the review is.',
  tag: 'Administration: reviews',
  auth: 'admin',
  limit: perMinute(200),

  params: oneReview,
  body: RespondRequest,
  success: 200,
  data: AdminReview,
  errors: { REVIEW_NOT_FOUND: 404 },

  async handle({ params: { id }, body }, { caller, db, request }) {
    const by = { id: caller.id, clientAddress: request.clientAddress };
    return decided(await respondToReview(db, { reviewId: id, response: body.content, by }));
  },
});

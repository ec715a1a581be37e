import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { AdminReview, adminReviewView, oneReview } from './admin-review.view';
import { respondToReview } from './respond.command';

const RespondRequest = z
  .object({
    content: text({ min: 1, max: 2_000 }).meta({
      description: 'The answer of the shop.',
      example: 'Thank you! The hinge is better since March.',
    }),
  })
  .meta({ id: 'ReviewResponseRequest' });

export const respondToReviewEndpoint = endpoint({
  id: 'respondToReview',
  returns: 'The review with the answer',
  method: 'post',
  path: '/admin/reviews/:id/respond',
  summary: 'Answer a review publicly',
  description: 'Replaces an earlier answer; it is shown as soon as the review is.',
  tag: 'Administration: reviews',
  auth: 'admin',
  limit: perMinute(200),

  params: oneReview,
  body: RespondRequest,
  success: 200,
  data: AdminReview,
  errors: { REVIEW_NOT_FOUND: 404 },

  async handle({ params: { id }, body }, { caller, db, request }) {
    const response = { reviewId: id, response: body.content };
    return adminReviewView(await respondToReview(db, response, actorOf({ caller, request })));
  },
});

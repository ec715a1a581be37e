import { z } from 'zod';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { actorOf } from '../actor';
import { AdminReview, adminReviewView, oneReview } from './admin-review.view';
import { moderateReview } from './moderate.command';

const RejectReviewRequest = z
  .object({
    reason: text({ max: 500 })
      .nullish()
      .meta({ description: 'For the audit trail only.', example: 'Advertises another shop.' }),
  })
  .meta({ id: 'RejectReviewRequest' });

export const rejectReview = endpoint({
  id: 'rejectReview',
  returns: 'The rejected review',
  method: 'post',
  path: '/admin/reviews/:id/reject',
  summary: 'Reject a review',
  description:
    'A published review is hidden and its rating no longer counts. A review that is rejected already stays as it is.',
  tag: 'Administration: reviews',
  auth: 'admin',
  limit: perMinute(200),

  params: oneReview,
  body: RejectReviewRequest,
  success: 200,
  data: AdminReview,
  errors: { REVIEW_NOT_FOUND: 404 },

  async handle({ params: { id }, body }, { caller, db, request }) {
    const moderation = { reviewId: id, status: 'REJECTED', reason: body.reason || null } as const;
    return adminReviewView(await moderateReview(db, moderation, actorOf({ caller, request })));
  },
});

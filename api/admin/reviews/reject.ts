import { z } from 'zod';
import { moderateReview } from '../../../db/catalog/review/review-moderation.writes';
import { endpoint } from '../../http/endpoint';
import { text } from '../../http/request/fields';
import { perMinute } from '../../http/limits/limits';
import { AdminReview, decided, oneReview } from './admin-review.view';

const RejectReviewRequest = z
  .object({
    reason: text({ max: 500 })
      .nullish()
      .meta({ description: 'For the audit trail only.', example: 'Advertises another shop.' }),
  })
  .meta({ id: 'RejectReviewRequest' });

export const rejectReviewEndpoint = endpoint({
  method: 'post',
  path: '/admin/reviews/:id/reject',
  summary: 'Turn a review down',
  description: 'One that was shown is hidden and no more counted. Turned down already, nothing changes.',
  tag: 'Administration: reviews',
  auth: 'admin',
  limit: perMinute(200),

  params: oneReview,
  body: RejectReviewRequest,
  success: 200,
  data: AdminReview,
  errors: { REVIEW_NOT_FOUND: 404 },

  async handle({ params: { id }, body }, { caller, db, request }) {
    const by = { id: caller.id, clientAddress: request.clientAddress };
    const reason = body.reason || null;
    return decided(await moderateReview(db, { reviewId: id, status: 'REJECTED', reason, by }));
  },
});

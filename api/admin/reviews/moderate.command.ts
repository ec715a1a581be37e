import { audited } from '../../../db/administration/audit/audit.writes';
import { countRating } from '../../../db/catalog/product/rating.writes';
import type { AdministeredReview } from '../../../db/catalog/review/administered-review.reads';
import { lockReview, setReviewStatus } from '../../../db/catalog/review/review.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { ReviewStatus } from '../../../workflows/catalog/review/review.rules';
import type { Actor } from '../actor';
import { requireReview } from './review.requirements';

export interface ModerateReview {
  reviewId: string;
  status: Extract<ReviewStatus, 'PUBLISHED' | 'REJECTED'>;
  /** Recorded in the audit trail only. */
  reason: string | null;
}

/**
 * Publishes or rejects a review and adds its rating to those of the product or removes it. A review of that status stays
 * as it is, unrecorded. Refused: REVIEW_NOT_FOUND.
 */
export const moderateReview = (
  db: Db,
  { reviewId, status, reason }: ModerateReview,
  by: Actor,
): Promise<AdministeredReview> =>
  inTransaction(db, async (tx) => {
    const before = await lockReview(tx, reviewId);
    if (!before || before.status === status) return requireReview(tx, reviewId);
    const at = new Date();
    await setReviewStatus(tx, reviewId, status, at);
    if (status === 'PUBLISHED') await countRating(tx, before.productId, before.rating, 1);
    else if (before.status === 'PUBLISHED') await countRating(tx, before.productId, before.rating, -1);
    const after = await requireReview(tx, reviewId);
    await audited(
      tx,
      { ...by, at },
      status === 'PUBLISHED' ? 'review.publish' : 'review.reject',
      reviewId,
      { status: before.status },
      { status, ...(reason !== null && { reason }) },
    );
    return after;
  });

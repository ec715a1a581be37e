import { audited } from '../../../db/administration/audit/audit.writes';
import type { AdministeredReview } from '../../../db/catalog/review/administered-review.reads';
import { lockReview, setReviewResponse } from '../../../db/catalog/review/review.writes';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';
import { requireReview } from './review.requirements';

/** Sets the shop's answer to a review, replacing an earlier one. Refused: REVIEW_NOT_FOUND. */
export const respondToReview = (
  db: Db,
  { reviewId, response }: { reviewId: string; response: string },
  by: Actor,
): Promise<AdministeredReview> =>
  inTransaction(db, async (tx) => {
    const before = await lockReview(tx, reviewId);
    if (!before || before.response === response) return requireReview(tx, reviewId);
    const at = new Date();
    await setReviewResponse(tx, reviewId, response, at);
    const after = await requireReview(tx, reviewId);
    await audited(tx, { ...by, at }, 'review.respond', reviewId, { response: before.response }, { response });
    return after;
  });

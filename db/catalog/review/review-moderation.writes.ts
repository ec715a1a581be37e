import type { ReviewStatus } from '../../../workflows/catalog/review/review.rules';
import { recordAudit } from '../../administration/audit/audit.writes';
import { execute, firstRow, type Db, type Tx } from '../../sql/query';
import { inTransaction } from '../../sql/transaction';
import { countRating } from '../product/product-rating.writes';
import { administeredReview, type AdministeredReview } from './review-administration.reads';

/** Who decides, from where. */
export interface Moderator {
  id: string;
  clientAddress: string;
}

export interface Moderation {
  reviewId: string;
  status: Extract<ReviewStatus, 'PUBLISHED' | 'REJECTED'>;
  /** Kept in the audit trail only. */
  reason: string | null;
  by: Moderator;
}

interface LockedReview {
  productId: string;
  rating: number;
  status: ReviewStatus;
  response: string | null;
}

/**
 * Shows a review or hides it, and counts it among the product's ratings or takes it out, in one transaction. Done
 * already, nothing changes and nothing is recorded. Null when there is no such review.
 */
export const moderateReview = (
  db: Db,
  { reviewId, status, reason, by }: Moderation,
): Promise<AdministeredReview | null> =>
  inTransaction(db, async (tx) => {
    const before = await lockReview(tx, reviewId);
    if (!before || before.status === status) return administeredReview(tx, reviewId);
    const at = new Date();
    await execute(tx, 'UPDATE reviews SET status = $2, updated_at = $3 WHERE id = $1', [
      reviewId,
      status,
      at,
    ]);
    if (status === 'PUBLISHED') await countRating(tx, before.productId, before.rating, 1);
    else if (before.status === 'PUBLISHED') await countRating(tx, before.productId, before.rating, -1);
    const after = await administeredReview(tx, reviewId);
    await recordAudit(tx, {
      actorId: by.id,
      action: status === 'PUBLISHED' ? 'review.publish' : 'review.reject',
      entityType: 'review',
      entityId: reviewId,
      previous: { status: before.status },
      next: { status, ...(reason !== null && { reason }) },
      clientAddress: by.clientAddress,
      at,
    });
    return after;
  });

/** Puts the shop's answer under a review, in the place of an earlier one. Null when there is no such review. */
export const respondToReview = (
  db: Db,
  { reviewId, response, by }: { reviewId: string; response: string; by: Moderator },
): Promise<AdministeredReview | null> =>
  inTransaction(db, async (tx) => {
    const before = await lockReview(tx, reviewId);
    if (!before || before.response === response) return administeredReview(tx, reviewId);
    const at = new Date();
    await execute(tx, 'UPDATE reviews SET response = $2, responded_at = $3, updated_at = $3 WHERE id = $1', [
      reviewId,
      response,
      at,
    ]);
    const after = await administeredReview(tx, reviewId);
    await recordAudit(tx, {
      actorId: by.id,
      action: 'review.respond',
      entityType: 'review',
      entityId: reviewId,
      previous: { response: before.response },
      next: { response },
      clientAddress: by.clientAddress,
      at,
    });
    return after;
  });

const lockReview = (tx: Tx, reviewId: string): Promise<LockedReview | null> =>
  firstRow<LockedReview>(
    tx,
    'SELECT product_id, rating, status, response FROM reviews WHERE id = $1 FOR NO KEY UPDATE',
    [reviewId],
  );

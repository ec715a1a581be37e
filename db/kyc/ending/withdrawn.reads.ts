import { rows, type Db } from '../../sql/query';

/** The verifications of an erased account that were submitted, not decided against, and withdrawn with it. */
export const withdrawnReviews = (db: Db, userId: string): Promise<{ kycId: string }[]> =>
  rows(
    db,
    `SELECT id AS kyc_id FROM kyc_verifications
      WHERE user_id = $1 AND status = 'WITHDRAWN' AND submitted_at IS NOT NULL AND decided_at IS NULL ORDER BY id`,
    [userId],
  );

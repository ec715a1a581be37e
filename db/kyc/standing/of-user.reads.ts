import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import { LEVEL_RANK } from './user-standing.reads';
import type { KycVerification } from '../verification/kyc-verification.model';

/** A verification that says how a user stands, as administrators see it. */
export type VerificationOfUser = Pick<
  Attributes<KycVerification>,
  'id' | 'submittedAt' | 'decidedAt' | 'decidedBy'
> & {
  /** When the level in force ends: of the approved verification, which may be an earlier one. */
  approvedUntil: Date | null;
};

/**
 * The latest verification of a user, or the approval in force where that came to nothing (as `approvedVerification`); null
 * if there is none.
 */
export const verificationOfUser = (db: Db, userId: string): Promise<VerificationOfUser | null> =>
  firstRow(
    db,
    `SELECT v.id, v.submitted_at, v.decided_at, v.decided_by,
            (SELECT v.expires_at FROM kyc_verifications v WHERE v.user_id = $1 AND v.status = 'APPROVED'
              ORDER BY ${FORCE} DESC LIMIT 1) AS approved_until
       FROM kyc_verifications v WHERE v.user_id = $1
      ORDER BY CASE WHEN v.status = 'APPROVED' AND (
          SELECT l.status IN ('EXPIRED', 'WITHDRAWN') FROM kyc_verifications l
           WHERE l.user_id = $1 ORDER BY l.created_at DESC, l.id DESC LIMIT 1) THEN ${FORCE} ELSE 0 END DESC,
        v.created_at DESC, v.id DESC LIMIT 1`,
    [userId],
  );

/** A higher number for an approval `v` that is in force before another: those whose time is over come last. */
const FORCE = `${LEVEL_RANK} + CASE WHEN v.expires_at <= now() THEN 0 ELSE 10 END`;

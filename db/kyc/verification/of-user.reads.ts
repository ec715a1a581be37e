import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import type { KycVerification } from './kyc-verification.model';

/** A verification that says how a user stands, as administrators see it. */
export type VerificationOfUser = Pick<
  Attributes<KycVerification>,
  'id' | 'submittedAt' | 'decidedAt' | 'decidedBy'
> & {
  /** When the level in force ends: of the approved verification, which may be an earlier one. */
  approvedUntil: Date | null;
};

/** The latest verification of a user, or the approval in force where that came to nothing; null if there is none. */
export const verificationOfUser = (db: Db, userId: string): Promise<VerificationOfUser | null> =>
  firstRow(
    db,
    `SELECT v.id, v.submitted_at, v.decided_at, v.decided_by,
            (SELECT a.expires_at FROM kyc_verifications a WHERE a.user_id = $1 AND a.status = 'APPROVED')
              AS approved_until
       FROM kyc_verifications v WHERE v.user_id = $1
      ORDER BY v.status = 'APPROVED' AND (
          SELECT l.status IN ('EXPIRED', 'WITHDRAWN') FROM kyc_verifications l
           WHERE l.user_id = $1 ORDER BY l.created_at DESC, l.id DESC LIMIT 1) DESC,
        v.created_at DESC, v.id DESC LIMIT 1`,
    [userId],
  );

import type { DueVerification } from '../../../db/kyc/ending/expiry.reads';
import { lockUserStanding } from '../../../db/kyc/standing/user-standing.writes';
import type { UserStanding } from '../../../db/kyc/standing/user-standing.reads';
import type { Verification } from '../../../db/kyc/verification/verification.reads';
import { lockVerification } from '../../../db/kyc/verification/verification.transitions';
import type { Tx } from '../../../db/sql/query';
import type { ReviewedLevel } from '../../../workflows/kyc/kyc.rules';

/** An approval in force, and its user; both are locked. */
export interface Approval {
  user: UserStanding;
  verification: Verification & { level: ReviewedLevel; expiresAt: Date };
}

/** The approval with its user, both locked; null if it is no longer in force, or never ends. */
export async function lockApproval(tx: Tx, { kycId, userId }: DueVerification): Promise<Approval | null> {
  const user = await lockUserStanding(tx, userId);
  const verification = await lockVerification(tx, kycId);
  if (user === null || verification?.status !== 'APPROVED') return null;
  const { level, expiresAt } = verification;
  return level === null || expiresAt === null
    ? null
    : { user, verification: { ...verification, level, expiresAt } };
}

import { execute, firstRow, type Tx } from '../../sql/query';
import { lockUserStanding } from '../standing/user-standing.writes';
import type { UserStanding } from '../standing/user-standing.reads';
import { lockVerification } from '../verification/verification.transitions';
import type { Verification } from '../verification/verification.reads';

/** A verification and its user, both locked; null if there is no such verification. */
export async function lockVerificationAndUser(
  tx: Tx,
  kycId: string,
): Promise<{ user: UserStanding; verification: Verification } | null> {
  const owner = await firstRow<{ userId: string }>(
    tx,
    'SELECT user_id FROM kyc_verifications WHERE id = $1',
    [kycId],
  );
  const user = owner && (await lockUserStanding(tx, owner.userId));
  const verification = user && (await lockVerification(tx, kycId));
  return user && verification ? { user, verification } : null;
}

/** Tells whether a reviewer ever suspected this user of fraud, of one document too, which is final. */
export async function isSuspectedOfFraud(tx: Tx, userId: string): Promise<boolean> {
  const found = await firstRow<{ suspected: boolean }>(
    tx,
    `SELECT EXISTS (SELECT 1 FROM kyc_verifications v WHERE v.user_id = $1
                     AND (v.is_fraud OR v.rejection_reason = 'SUSPECTED_FRAUD')) AS suspected`,
    [userId],
  );
  return found?.suspected === true;
}

/** Lets a locked user submit again, with all tries; returns whether that changed anything. */
export async function liftResubmissionLimits(tx: Tx, userId: string, at: Date): Promise<boolean> {
  const lifted = await execute(
    tx,
    'UPDATE kyc_verifications SET can_resubmit = true, updated_at = $2 WHERE user_id = $1 AND NOT can_resubmit',
    [userId, at],
  );
  const reset = await execute(
    tx,
    'UPDATE kyc_document_tries SET tries = 0, uploads = 0 WHERE user_id = $1 AND (tries > 0 OR uploads > 0)',
    [userId],
  );
  return lifted + reset > 0;
}

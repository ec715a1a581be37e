import { isAtLeast, type ReviewedLevel } from '../../../workflows/kyc/kyc.rules';
import type { Tx } from '../../sql/query';
import { approvalsOf, type Approval } from '../verification/verification.reads';
import { moveVerification } from '../verification/verification.transitions';

/**
 * Ends the approvals of a locked user that a new one of this level replaces: those of the same level and of lower ones. One
 * of a higher level stays in force.
 */
export async function supersedeApprovals(
  tx: Tx,
  userId: string,
  level: ReviewedLevel,
  at: Date,
): Promise<{ superseded: Approval[]; remaining: Approval[] }> {
  const approvals = await approvalsOf(tx, userId);
  const superseded = approvals.filter((approval) => isAtLeast(level, approval.level));
  for (const { id } of superseded)
    await moveVerification(
      tx,
      { id, from: 'APPROVED' },
      { status: 'SUPERSEDED', endedAt: at, updatedAt: at },
    );
  return { superseded, remaining: approvals.filter((approval) => !superseded.includes(approval)) };
}

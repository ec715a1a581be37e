import { largestOpenPrincipals } from '../../../db/investment/participation/open-participations.reads';
import { lockUserStanding } from '../../../db/kyc/standing/user-standing.writes';
import { latestVerification, type Verification } from '../../../db/kyc/verification/verification.reads';
import { lockVerification } from '../../../db/kyc/verification/verification.transitions';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { ParticipationActivities } from '../../../workflows/investment/participation/participation.contract';
import { change, isLargeInvestment, reviewDue } from './reviewed-verification';

type Statuses = Partial<Record<Verification['status'], true>>;

const IN_REVIEW: Statuses = { SUBMITTED: true, UNDER_REVIEW: true };
const OPEN: Statuses = { ...IN_REVIEW, DOCUMENTS_PENDING: true, NEEDS_INFO: true };

/**
 * Gives the user's open verification priority HIGH, if a large investment was refused for want of the level, or one is open;
 * returns it if that is new. One that is in review is then due as soon as one that was submitted with that priority now, and
 * never later than before.
 */
export const urgeReview = (
  { db, policy }: { db: Db; policy: Policy },
  { userId, refused, at }: Parameters<ParticipationActivities['urgeReview']>[0],
): Promise<{ kycId: string } | null> =>
  inTransaction(db, async (tx) => {
    const user = await lockUserStanding(tx, userId);
    const latest = await latestVerification(tx, userId);
    const verification = latest && (await lockVerification(tx, latest.id));
    if (!user || !verification || !OPEN[verification.status] || verification.priority === 'HIGH') return null;
    const investments = refused ? [refused] : await largestOpenPrincipals(tx, userId);
    if (!investments.some((investment) => isLargeInvestment(investment, policy))) return null;
    const now = new Date(at);
    const columns = {
      priority: 'HIGH',
      ...(IN_REVIEW[verification.status] && dueSooner(verification, now, policy)),
    } as const;
    const event = { action: 'ESCALATED', performedBy: null, note: null } as const;
    await change(tx, { user, verification }, { columns, event }, now);
    return { kycId: verification.id };
  });

function dueSooner({ dueAt }: Verification, at: Date, policy: Policy): { dueAt: Date } {
  const soon = reviewDue(at, 'HIGH', policy);
  return { dueAt: dueAt !== null && dueAt < soon ? dueAt : soon };
}

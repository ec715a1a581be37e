import { announce } from '../../../db/administration/domain-event/domain-event.writes';
import { letter } from '../../../db/administration/outbox/letter';
import { enqueueQuietMail } from '../../../db/administration/outbox/outbox.writes';
import { addKycEvent } from '../../../db/kyc/history/history.writes';
import type { DueVerification } from '../../../db/kyc/ending/expiry.reads';
import { setUserStanding } from '../../../db/kyc/standing/user-standing.transitions';
import type { UserStanding } from '../../../db/kyc/standing/user-standing.reads';
import {
  approvalsOf,
  latestVerification,
  type Verification,
} from '../../../db/kyc/verification/verification.reads';
import { moveVerification } from '../../../db/kyc/verification/verification.transitions';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { kycExpiredLetter } from '../../../workflows/kyc/expiry/kyc-expiry.letters';
import { approvalInForce, isAtLeast, type ReviewedLevel } from '../../../workflows/kyc/kyc.rules';
import { isOver } from '../../../workflows/kyc/submission.rules';
import { lockApproval } from './lock-approval';

/**
 * Ends an approval whose time is over at `at`: its user's level falls to that of the highest approval that is left, or to
 * BASIC. Returns false, and changes nothing, if it has ended before. The user's status stays that of a newer verification,
 * unless that one came to nothing.
 */
export const expireVerification = (db: Db, { kycId, userId }: DueVerification, at: Date): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const approval = await lockApproval(tx, { kycId, userId });
    if (!approval || approval.verification.expiresAt > at) return false;
    const { user, verification } = approval;
    const latest = await latestVerification(tx, userId);
    const isStanding = latest === null || latest.id === kycId || isOver(latest.status);
    await moveVerification(
      tx,
      { id: kycId, from: 'APPROVED' },
      { status: 'EXPIRED', endedAt: at, updatedAt: at },
    );
    const left = approvalInForce(await approvalsOf(tx, userId), at);
    const kycLevel = left?.level ?? 'BASIC';
    const standing = {
      ...(isAtLeast(user.kycLevel, kycLevel) && { kycLevel }),
      ...(isStanding && { kycStatus: left ? ('APPROVED' as const) : ('NOT_STARTED' as const) }),
    };
    await setUserStanding(tx, userId, standing, at);
    await addKycEvent(tx, { kycId, action: 'EXPIRED', performedBy: null, note: null, at });
    await announce(tx, { type: 'kyc.expired', kycId, userId }, at.toISOString());
    if (user.kycLevel !== kycLevel)
      await queueExpiredMail(tx, user, { kycId, level: verification.level, levelAfter: kycLevel, latest });
    return true;
  });

interface Expired {
  kycId: string;
  level: ReviewedLevel;
  levelAfter: ReviewedLevel;
  latest: Verification | null;
}

/** Queues the mail about a level that fell; nobody is written to at a banned or erased account. */
async function queueExpiredMail(
  tx: Tx,
  { status, email, firstName }: UserStanding,
  { kycId, latest, ...levels }: Expired,
): Promise<void> {
  if (status === 'BANNED') return;
  const isRenewing = latest !== null && OPEN.includes(latest.status);
  const content = kycExpiredLetter({ firstName, ...levels, isRenewing });
  await enqueueQuietMail(tx, { reference: `kyc:${kycId}:expired`, to: email, ...letter(content) });
}

const OPEN: readonly Verification['status'][] = [
  'DOCUMENTS_PENDING',
  'SUBMITTED',
  'UNDER_REVIEW',
  'NEEDS_INFO',
];

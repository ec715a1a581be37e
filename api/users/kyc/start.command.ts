import { v7 } from 'uuid';
import { lastKycAction } from '../../../db/kyc/history/history.reads';
import { addKycEvent } from '../../../db/kyc/history/history.writes';
import { sealPersonalInfo } from '../../../db/kyc/verification/personal-info';
import { lockUserStanding, markVerificationStarted } from '../../../db/kyc/standing/user-standing.writes';
import {
  approvedVerification,
  latestVerification,
  type Verification,
} from '../../../db/kyc/verification/verification.reads';
import { carryDocumentsOver } from '../../../db/kyc/document/document.writes';
import { insertVerification, restateVerification } from '../../../db/kyc/verification/verification.writes';
import type { KeyRing } from '../../../db/sealing/key-ring';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { businessRefusal } from '../../../workflows/errors';
import type { PersonalInfo, RequestableLevel } from '../../../workflows/kyc/kyc.rules';
import { isEditable, isInReview, isOver, isStillApproved } from '../../../workflows/kyc/submission.rules';
import { accountGone } from '../own-account';
import { inReview, notStarted, requireEditable, resubmissionNotAllowed } from './own-verification';

export interface Start {
  /** The id of the verification if a new one begins. */
  kycId: string;
  userId: string;
  requestedLevel: RequestableLevel;
  info: PersonalInfo;
}

/**
 * Begins a verification, or restates the one that its user can still change. Refuses with NOT_EDITABLE, with VALIDATION_ERROR and
 * the reason KYC_ALREADY_APPROVED or RESUBMISSION_NOT_ALLOWED; with UNAUTHORIZED if the account is gone.
 */
export function startVerification(db: Db, start: Start, keys: KeyRing): Promise<void> {
  const { userId, requestedLevel, info } = start;
  return inTransaction(db, async (tx) => {
    const user = await lockUserStanding(tx, userId);
    // Not before: events of requests at once are in the order in which they were carried out.
    const at = new Date();
    if (!user || user.erasedAt) throw accountGone();
    const latest = await latestVerification(tx, userId);
    await requireStartable(tx, start, latest, at);

    if (!latest || !isEditable(latest.status)) return beginDraft(tx, start, { keys, latest, at });
    const { id: kycId, status } = latest;
    const stated = { id: kycId, userId, requestedLevel, ...sealPersonalInfo(keys, kycId, info) };
    await restateVerification(tx, status, stated, at);
    const action = 'CHANGED';
    // One of many changes in a row says it.
    if ((await lastKycAction(tx, kycId)) === action) return;
    await addKycEvent(tx, { kycId, action, performedBy: userId, note: null, at });
  });
}

/**
 * Begins a verification of a locked user who has none open, with the documents of their latest one, or of the approval in
 * force where that came to nothing. None come from one that has expired.
 */
async function beginDraft(
  tx: Tx,
  { kycId, userId, requestedLevel, info }: Start,
  { keys, latest, at }: { keys: KeyRing; latest: Verification | null; at: Date },
): Promise<void> {
  const stated = { id: kycId, userId, requestedLevel, ...sealPersonalInfo(keys, kycId, info) };
  await insertVerification(tx, stated, at);
  const earlier = latest && !isOver(latest.status) ? latest : await approvedVerification(tx, userId);
  const isExpired = earlier?.status === 'APPROVED' && earlier.expiresAt !== null && earlier.expiresAt <= at;
  if (earlier && !isExpired) await carryDocumentsOver(tx, kycId, earlier.id);
  await markVerificationStarted(tx, userId, at);
  await addKycEvent(tx, { kycId, action: 'STARTED', performedBy: userId, note: null, at });
}

/** Opens what is sealed of a verification; null where that is not possible. */
export type Opens = (verification: Verification) => PersonalInfo | null;

/**
 * The id of the verification that a locked user can change; after a rejection a new one begins with what they stated last. Refuses
 * with NOT_EDITABLE, and with VALIDATION_ERROR and the reason RESUBMISSION_NOT_ALLOWED.
 */
export async function editableDraft(
  tx: Tx,
  userId: string,
  { keys, opens, at }: { keys: KeyRing; opens: Opens; at: Date },
): Promise<string> {
  const latest = await latestVerification(tx, userId);
  if (latest?.status !== 'REJECTED') return requireEditable(latest).id;
  const info = opens(latest);
  if (!info) throw notStarted();
  const start = { kycId: v7(), userId, requestedLevel: latest.requestedLevel, info };
  await requireStartable(tx, start, latest, at);
  await beginDraft(tx, start, { keys, latest, at });
  return start.kycId;
}

async function requireStartable(
  tx: Tx,
  { userId, requestedLevel }: Start,
  latest: Verification | null,
  at: Date,
): Promise<void> {
  if (latest && isInReview(latest.status)) throw inReview();
  const approved = await approvedVerification(tx, userId);
  if (approved && isStillApproved(approved, requestedLevel, at))
    throw businessRefusal('KYC_ALREADY_APPROVED', 'Your identity is already verified for this level.');
  if (latest && !latest.canResubmit) throw resubmissionNotAllowed();
}

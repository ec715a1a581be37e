import { readNote, type RequestNote } from '../../../../db/administration/idempotency/request-note.writes';
import type { AuditedAction } from '../../../../db/administration/audit/audit-vocabulary';
import { recordAudit } from '../../../../db/administration/audit/audit.writes';
import { hasKycEvent } from '../../../../db/kyc/history/history.reads';
import { isReviewer } from '../../../../db/kyc/standing/reviewer.reads';
import { rolesOf } from '../../../../db/identity/user/user.transitions';
import { openedEarlierOnly } from '../../../../db/kyc/review/opening.reads';
import type { Verification } from '../../../../db/kyc/verification/verification.reads';
import type { Db, Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { refusal } from '../../../../workflows/errors';
import type { KycAction, KycLevel } from '../../../../workflows/kyc/kyc.rules';
import type { KycDecision, KycReviewState } from '../../../../workflows/kyc/review/kyc-review.contract';
import { change, lockReviewed, stateOf, type Reviewed } from '../reviewed-verification';

/** A decision on one verification, at the process's time (ISO 8601). */
export type Decision = KycDecision & { kycId: string; userId: string; at: string };

/** A verification that waits for a decision, with the note of the reviewer who makes it. */
export interface Case extends Reviewed {
  note: RequestNote;
  at: Date;
}

type ReviewStatus = 'SUBMITTED' | 'UNDER_REVIEW' | 'NEEDS_INFO' | 'APPROVED' | 'REJECTED';

/** The changes that a decision makes to a case. */
export interface Outcome {
  columns: Partial<Verification> & { status: ReviewStatus };
  /** The level of the user from now on; left out, it stays. */
  level?: KycLevel;
  action: KycAction;
  audited: Extract<AuditedAction, `kyc.${string}`>;
  /** The decision's values in the audit record, without anybody's words. */
  values?: object;
}

/**
 * Carries a decision out, in one transaction. `decideCase` makes the decision's own changes and returns the rest; null
 * if there is nothing to change. A decision that the history has, the last one or not, only returns the state. Refused:
 * FORBIDDEN, NOT_REVIEWABLE, ALREADY_CLAIMED, and by `decideCase`.
 */
export const decide = (
  db: Db,
  { noteId, ...decision }: Decision,
  decideCase: (tx: Tx, reviewed: Case) => Promise<Outcome | null>,
): Promise<KycReviewState> =>
  inTransaction(db, async (tx) => {
    const reviewed = await lockReviewed(tx, decision);
    const { user, verification } = reviewed;
    if (await hasKycEvent(tx, { id: noteId, kycId: verification.id })) return stateOf(verification);
    const note = await readNote(tx, noteId);
    if (note.actorId === user.id) throw refusal('FORBIDDEN', 'You cannot review your own verification.');
    requireReviewable(verification);
    const at = new Date(decision.at);
    const outcome = await decideCase(tx, { ...reviewed, note, at });
    if (!outcome) return stateOf(verification);

    const { columns, level, action } = outcome;
    const made = {
      columns,
      user: { kycStatus: columns.status, ...(level && { kycLevel: level }) },
      event: { id: noteId, action, performedBy: note.actorId, note: note.text },
    };
    const state = await change(tx, reviewed, made, at);
    await auditOutcome(tx, verification, note, outcome, at);
    return state;
  });

function requireReviewable({ status }: Verification): void {
  if (status === 'SUBMITTED' || status === 'UNDER_REVIEW') return;
  const isDecided = status !== 'DOCUMENTS_PENDING' && status !== 'NEEDS_INFO';
  throw refusal(
    'NOT_REVIEWABLE',
    isDecided ? 'This verification is already decided.' : 'This verification is not submitted.',
  );
}

/**
 * Refuses ALREADY_CLAIMED if another reviewer has claimed the case, unless the actor is a SUPER_ADMIN. A claim that has
 * lapsed, or of somebody who no longer reviews, does not hold.
 */
export async function requireHolder(
  tx: Tx,
  { verification: { assignedTo, claimLapsesAt }, note: { actorId }, at }: Case,
): Promise<void> {
  if (assignedTo === null || assignedTo === actorId || (claimLapsesAt !== null && claimLapsesAt <= at))
    return;
  if (!(await isReviewer(tx, assignedTo))) return;
  if (!(await rolesOf(tx, actorId)).includes('SUPER_ADMIN')) throw refusal('ALREADY_CLAIMED');
}

/**
 * Refuses NOT_REVIEWABLE to a reviewer who names an earlier submission; or who names none, and has opened only earlier ones
 * than the one that another reviewer's question led to.
 */
export async function requireSeen(
  tx: Tx,
  { verification: { id: kycId, submittedAt }, note: { actorId: reviewerId } }: Case,
  named: string | undefined,
): Promise<void> {
  const isEarlier =
    named === undefined
      ? await openedEarlierOnly(tx, { kycId, reviewerId, submittedAt })
      : new Date(named).getTime() !== submittedAt?.getTime();
  if (isEarlier)
    throw refusal('NOT_REVIEWABLE', 'This verification was submitted again since you opened it.');
}

async function auditOutcome(
  tx: Tx,
  { id, status, assignedTo }: Verification,
  { actorId, clientAddress }: RequestNote,
  { audited, columns, values }: Outcome,
  at: Date,
): Promise<void> {
  await recordAudit(tx, {
    actorId,
    action: audited,
    entityId: id,
    previous: { status, assignedTo },
    next: { status: columns.status, assignedTo: columns.assignedTo, ...values },
    clientAddress,
    at,
  });
}

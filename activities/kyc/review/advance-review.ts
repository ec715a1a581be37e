import { announce } from '../../../db/administration/domain-event/domain-event.writes';
import { forgetUploads } from '../../../db/kyc/document/document-removal.transitions';
import { informationAskedAt } from '../../../db/kyc/history/history.reads';
import { isReviewer } from '../../../db/kyc/standing/reviewer.reads';
import { openRequestedMessage } from '../../../db/kyc/verification/requested-message';
import { Unsealable } from '../../../db/sealing/cipher';
import { keysOf } from '../../../db/sealing/keys-of';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { answerDue, nextLookAt } from '../../../workflows/kyc/review/information-request.rules';
import type { KycReviewActivities, KycReviewState } from '../../../workflows/kyc/review/kyc-review.contract';
import {
  informationReminderLetter,
  unansweredLetter,
} from '../../../workflows/kyc/review/kyc-review.letters';
import { queueOverdueMail, queueUserMail } from './queue-review-mail';
import {
  change,
  lockReviewed,
  reviewDue,
  stateOf,
  UNCLAIMED,
  type Reviewed,
  type ReviewPolicy,
} from './reviewed-verification';

type Advance = Parameters<KycReviewActivities['advanceReview']>[0];

/** The clocks of a review, and the address of its queue. */
export interface ReviewClock {
  policy: ReviewPolicy;
  /** Receives mails about overdue verifications that nobody has claimed. */
  queueEmail: string | undefined;
}

/**
 * Does what is due: ends a claim that has lapsed; escalates a review that takes too long, then reminds its reviewer; reminds a user
 * who was asked for more, then rejects the verification. One that is not due stays as it is.
 */
export const advanceReview = (
  { db, ...clock }: { db: Db } & ReviewClock,
  step: Advance,
): Promise<KycReviewState> =>
  inTransaction(db, async (tx) => {
    const reviewed = await lockReviewed(tx, step);
    const { status, dueAt, claimLapsesAt } = reviewed.verification;
    const at = new Date(step.at);
    if (claimLapsesAt !== null && claimLapsesAt <= at) return unclaim(tx, reviewed, at);
    if (dueAt === null || dueAt > at) return stateOf(reviewed.verification);
    return status === 'NEEDS_INFO'
      ? awaitAnswer(tx, reviewed, clock.policy, at)
      : urge(tx, reviewed, clock, at);
  });

/** Puts a claimed verification back into the queue. */
function unclaim(tx: Tx, reviewed: Reviewed, at: Date): Promise<KycReviewState> {
  const columns = { status: 'SUBMITTED', ...UNCLAIMED } as const;
  const event = { action: 'RELEASED', performedBy: null, note: null } as const;
  return change(tx, reviewed, { columns, user: { kycStatus: 'SUBMITTED' }, event }, at);
}

/** The first time a review is overdue, it escalates; later its reviewer is reminded. */
async function urge(
  tx: Tx,
  claimed: Reviewed,
  { policy, queueEmail }: ReviewClock,
  at: Date,
): Promise<KycReviewState> {
  const reviewed = await releasedIfAbandoned(tx, claimed, at);
  const { verification } = reviewed;
  await queueOverdueMail(tx, verification, queueEmail);
  const isFirst = verification.escalatedAt === null;
  const columns = {
    dueAt: reviewDue(at, 'HIGH', policy),
    ...(isFirst ? { priority: 'HIGH' as const, escalatedAt: at } : { remindedAt: at }),
  };
  const action = isFirst ? 'ESCALATED' : 'REVIEWER_REMINDED';
  return change(tx, reviewed, { columns, event: { action, performedBy: null, note: null } }, at);
}

/** Puts a verification back into the queue if its holder is no reviewer any more; returns it as it is then. */
async function releasedIfAbandoned(tx: Tx, reviewed: Reviewed, at: Date): Promise<Reviewed> {
  const { user, verification } = reviewed;
  if (verification.assignedTo === null || (await isReviewer(tx, verification.assignedTo))) return reviewed;
  await unclaim(tx, reviewed, at);
  return { user, verification: { ...verification, status: 'SUBMITTED', ...UNCLAIMED } };
}

/** Reminds a user of a reviewer's request, or rejects the verification when its time is over. */
async function awaitAnswer(
  tx: Tx,
  reviewed: Reviewed,
  policy: ReviewPolicy,
  at: Date,
): Promise<KycReviewState> {
  const askedAt = await informationAskedAt(tx, reviewed.verification.id);
  if (!askedAt) throw new Error(`Nothing was asked of the user of ${reviewed.verification.id}.`);
  const until = answerDue(askedAt, policy);
  if (until <= at) return rejectUnanswered(tx, reviewed, at);
  const { user, verification } = reviewed;
  const mail = informationReminderLetter({
    ...user,
    message: readable(() => openRequestedMessage(keysOf(tx), verification)),
    documents: verification.requestedDocuments ?? [],
    until,
  });
  await queueUserMail(tx, user, `kyc:${verification.id}:reminder:${at.toISOString()}`, mail);
  const columns = { remindedAt: at, dueAt: nextLookAt(askedAt, at, policy) };
  const event = { action: 'USER_REMINDED', performedBy: null, note: null } as const;
  return change(tx, reviewed, { columns, event }, at);
}

/** The opened value; null where a key is lost, which must not stop the clock. */
function readable<Opened>(open: () => Opened): Opened | null {
  try {
    return open();
  } catch (error) {
    if (error instanceof Unsealable) return null;
    throw error;
  }
}

/**
 * Rejects a verification whose user did not answer; they can submit again at once, and keep their level.
 */
async function rejectUnanswered(tx: Tx, reviewed: Reviewed, at: Date): Promise<KycReviewState> {
  const { user, verification } = reviewed;
  const { id: kycId, requestedLevel: level } = verification;
  const reason = 'INFO_NOT_PROVIDED';
  await forgetUploads(tx, user.id);
  await announce(tx, { type: 'kyc.rejected', kycId, userId: user.id, reason, level }, at.toISOString());
  const mail = unansweredLetter({ ...user, level: user.kycLevel });
  await queueUserMail(tx, user, `kyc:${kycId}:unanswered`, mail);
  const made = {
    columns: { status: 'REJECTED', rejectionReason: reason, decidedAt: at, dueAt: null },
    user: { kycStatus: 'REJECTED' },
    event: { action: 'REJECTED', performedBy: null, note: null },
  } as const;
  return change(tx, reviewed, made, at);
}

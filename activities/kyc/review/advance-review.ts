import { announce } from '../../../db/administration/domain-event/domain-event.writes';
import { forgetUploads } from '../../../db/kyc/document/document-removal.transitions';
import { isReviewer } from '../../../db/kyc/standing/reviewer.reads';
import { statusAfterEnd } from '../../../db/kyc/standing/user-standing.reads';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { KycReviewActivities, KycReviewState } from '../../../workflows/kyc/review/kyc-review.contract';
import {
  informationReminderLetter,
  unansweredLetter,
} from '../../../workflows/kyc/review/kyc-review.letters';
import { queueOverdueMail, queueUserMail } from './queue-review-mail';
import {
  change,
  daysAfter,
  lockReviewed,
  reviewDue,
  stateOf,
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
 * Does what is due: escalates a review that takes too long, then reminds its reviewer; reminds a user who was asked for
 * more, then ends the verification. One that is not due stays as it is.
 */
export const advanceReview = (db: Db, clock: ReviewClock, step: Advance): Promise<KycReviewState> =>
  inTransaction(db, async (tx) => {
    const reviewed = await lockReviewed(tx, step);
    const { status, dueAt, remindedAt } = reviewed.verification;
    const at = new Date(step.at);
    if (dueAt === null || dueAt > at) return stateOf(reviewed.verification);
    if (status !== 'NEEDS_INFO') return urge(tx, reviewed, clock, at);
    const { kycInfoDays, kycInfoReminderDays } = clock.policy;
    const daysLeft = kycInfoDays - kycInfoReminderDays;
    return remindedAt === null && daysLeft > 0
      ? remindUser(tx, reviewed, daysAfter(at, daysLeft), at)
      : expire(tx, reviewed, at);
  });

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

/** Puts a verification back into the queue if its holder is no reviewer any more; answers it as it is then. */
async function releasedIfAbandoned(tx: Tx, reviewed: Reviewed, at: Date): Promise<Reviewed> {
  const { user, verification } = reviewed;
  if (verification.assignedTo === null || (await isReviewer(tx, verification.assignedTo))) return reviewed;
  const columns = { status: 'SUBMITTED', assignedTo: null, claimedAt: null } as const;
  const event = { action: 'RELEASED', performedBy: null, note: null } as const;
  await change(tx, reviewed, { columns, user: { kycStatus: 'SUBMITTED' }, event }, at);
  return { user, verification: { ...verification, ...columns } };
}

async function remindUser(tx: Tx, reviewed: Reviewed, until: Date, at: Date): Promise<KycReviewState> {
  const { user, verification } = reviewed;
  const mail = informationReminderLetter({
    ...user,
    message: verification.requestedMessage,
    documents: verification.requestedDocuments ?? [],
    until,
  });
  await queueUserMail(tx, user, `kyc:${verification.id}:reminder:${at.toISOString()}`, mail);
  const event = { action: 'USER_REMINDED', performedBy: null, note: null } as const;
  return change(tx, reviewed, { columns: { remindedAt: at, dueAt: until }, event }, at);
}

/** Ends a verification whose user did not answer, and forgets what they uploaded for it; the level that they have stays. */
async function expire(tx: Tx, reviewed: Reviewed, at: Date): Promise<KycReviewState> {
  const { user, verification } = reviewed;
  const { id: kycId } = verification;
  await forgetUploads(tx, user.id);
  await announce(tx, { type: 'kyc.expired', kycId, userId: user.id }, at.toISOString());
  await queueUserMail(
    tx,
    user,
    `kyc:${kycId}:unanswered`,
    unansweredLetter({ ...user, level: user.kycLevel }),
  );
  const made = {
    columns: { status: 'EXPIRED', endedAt: at, dueAt: null },
    user: { kycStatus: await statusAfterEnd(tx, user.id) },
    event: { action: 'EXPIRED', performedBy: null, note: null },
  } as const;
  return change(tx, reviewed, made, at);
}

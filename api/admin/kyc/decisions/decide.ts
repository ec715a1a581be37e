import { QUEUED_STATUSES } from '../../../../db/kyc/review/queue.reads';
import {
  reviewedVerification,
  reviewersOf,
  type ReviewedVerification,
} from '../../../../db/kyc/review/reviewed.reads';
import type { Db } from '../../../../db/sql/query';
import { refusal, refusalIn, refusalOf } from '../../../../workflows/errors';
import {
  kycReviewProcess,
  type KycDecision,
  type KycReviewState,
} from '../../../../workflows/kyc/review/kyc-review.contract';
import type { KycVerificationStatus } from '../../../../workflows/kyc/review/kyc-review.states';
import type { Context } from '../../../http/handler-context';
import { noteOf } from '../../../http/idempotency/note';
import { noSuchVerification, verificationOfAnother } from '../verification';
import type { DecisionDefinition } from '../../../../workflows/kit/decision';

/** A reviewer's decision and their words, which travel as a note. */
interface Decision<Command extends KycDecision> {
  update: DecisionDefinition<KycReviewState, [Command]>;
  command: Omit<Command, 'noteId'>;
  note: string | null;
}

/**
 * Sends a reviewer's decision to the process of a verification and returns the verification after it. Refuses with
 * KYC_NOT_FOUND, FORBIDDEN for an own one, NOT_REVIEWABLE, and what the process refuses; who was faster is in the details.
 */
export async function decide<Command extends KycDecision>(
  id: string,
  { update, command, note }: Decision<Command>,
  context: Context<'admin'>,
): Promise<ReviewedVerification> {
  const { caller, db, processes, request } = context;
  const { status, userId } = await verificationOfAnother(db, id, caller.id);
  if (status === 'DOCUMENTS_PENDING') throw refusal('NOT_REVIEWABLE');
  const noteId = await noteOf(context, note, { entityId: id });
  try {
    const review = { kycId: id, userId };
    const decision = { ...command, noteId } as Command;
    const options = { updateId: request.idempotencyId };
    // An operator may have given its process up: a decision opens it again, unless there is nothing left to decide.
    if (isQueued(status)) await processes.open(kycReviewProcess, review, update, decision, options);
    else await processes.ask(kycReviewProcess.id(review), update, decision, options);
  } catch (error) {
    throw await namingReviewers(db, id, error);
  }
  const decided = await reviewedVerification(db, id);
  if (!decided) throw noSuchVerification();
  return decided;
}

const isQueued = (status: KycVerificationStatus): boolean =>
  QUEUED_STATUSES.some((queued) => queued === status);

/** The refusal with the reviewer who holds the verification, or who has decided on it; any other error as it is. */
async function namingReviewers(db: Db, id: string, error: unknown): Promise<unknown> {
  const refused = refusalIn(error);
  if (refused?.code !== 'ALREADY_CLAIMED' && refused?.code !== 'NOT_REVIEWABLE') return error;
  const reviewers = await reviewersOf(db, id);
  const [name, email] =
    refused.code === 'ALREADY_CLAIMED'
      ? ['assignedTo', reviewers?.assignedEmail]
      : ['decidedBy', reviewers?.decidedEmail];
  return email ? refusalOf({ ...refused, details: { ...refused.details, [name]: [email] } }) : error;
}

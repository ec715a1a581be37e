import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import { countTries, rejectDocument } from '../../../../db/kyc/document/document-decisions.transitions';
import { triesWith } from '../../../../db/kyc/document/document.reads';
import { heldDocuments, type HeldDocument } from '../../../../db/kyc/document/held-document.reads';
import type { Db } from '../../../../db/sql/query';
import { refusal } from '../../../../workflows/errors';
import { nextSubmissionAt } from '../../../../workflows/kyc/resubmission.rules';
import type {
  KycRejectionDecision,
  KycReviewActivities,
  KycReviewState,
} from '../../../../workflows/kyc/review/kyc-review.contract';
import { rejectedLetter } from '../../../../workflows/kyc/review/kyc-review.letters';
import { decide, requireHolder, requireSeen } from './decide';
import { queueUserMail } from '../queue-review-mail';
import { UNCLAIMED, type ReviewPolicy } from '../reviewed-verification';

type Reject = Parameters<KycReviewActivities['rejectVerification']>[0];

/**
 * Rejects a verification; the level that its user has stays. Refused: NOT_REVIEWABLE, ALREADY_CLAIMED, VALIDATION_ERROR
 * (a document that it does not hold).
 */
export const rejectVerification = (
  { db, policy: { kycResubmissionHours, kycTries } }: { db: Db; policy: ReviewPolicy },
  { reason, documents, allowResubmission, submittedAt, ...decision }: Reject,
): Promise<KycReviewState> =>
  decide(db, decision, async (tx, reviewed) => {
    await requireHolder(tx, reviewed);
    await requireSeen(tx, reviewed, submittedAt);
    const { user, verification, note, at } = reviewed;
    const { id: kycId, requestedLevel: level } = verification;
    const held = await heldDocuments(tx, kycId);
    const named = requireHeld(held, documents);
    for (const document of documents) await rejectDocument(tx, kycId, document);
    const rejected = typesOf(named.length > 0 ? named : held.filter(isSubmittable));
    await countTries(tx, user.id, rejected);
    const isUsedUp = (await triesWith(tx, user.id, rejected)).some(({ tries }) => tries >= kycTries);
    const isFraud = [reason, ...documents.map((document) => document.reason)].includes('SUSPECTED_FRAUD');
    const canResubmit = allowResubmission && !isFraud;
    await announce(tx, { type: 'kyc.rejected', kycId, userId: user.id, reason, level }, decision.at);
    const nextAt = nextSubmissionAt({ ...verification, status: 'REJECTED' }, kycResubmissionHours);
    const mail = rejectedLetter({
      ...{ ...user, reason, documents: named, canResubmit, isUsedUp },
      nextSubmissionAt: nextAt,
    });
    await queueUserMail(tx, user, `kyc:${kycId}:rejected`, mail);
    return {
      columns: {
        status: 'REJECTED',
        rejectionReason: reason,
        canResubmit,
        isFraud,
        decidedAt: at,
        decidedBy: note.actorId,
        ...UNCLAIMED,
        dueAt: null,
      },
      action: 'REJECTED',
      audited: 'kyc.reject',
      values: { reason, documents, canResubmit },
    };
  });

const typesOf = (documents: readonly Pick<HeldDocument, 'type'>[]) => documents.map(({ type }) => type);

/** True of a document that the rejected verification was about, also without naming it. */
const isSubmittable = ({ status, removedAt }: HeldDocument): boolean =>
  status !== 'REJECTED' && removedAt === null;

/** The named documents with their types. Refuses one that the verification does not hold. */
function requireHeld(
  held: readonly HeldDocument[],
  named: KycRejectionDecision['documents'],
): (Pick<HeldDocument, 'type'> & Pick<KycRejectionDecision, 'reason'>)[] {
  return named.map(({ documentId, reason }, index) => {
    const document = held.find(({ id }) => id === documentId);
    if (!document)
      throw refusal('VALIDATION_ERROR', 'The request is not valid.', {
        [`rejectedDocuments.${index}.documentId`]: ['is not a document of this verification'],
      });
    return { type: document.type, reason };
  });
}

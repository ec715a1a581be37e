import { giveTryBack, rejectTypes } from '../../../../db/kyc/document/document-decisions.transitions';
import { sealRequestedMessage } from '../../../../db/kyc/verification/requested-message';
import { keysOf } from '../../../../db/sealing/keys-of';
import type { Db } from '../../../../db/sql/query';
import type {
  KycReviewActivities,
  KycReviewState,
} from '../../../../workflows/kyc/review/kyc-review.contract';
import { answerDue, nextLookAt } from '../../../../workflows/kyc/review/information-request.rules';
import { informationRequestedLetter } from '../../../../workflows/kyc/review/kyc-review.letters';
import { decide, requireHolder, requireSeen } from './decide';
import { queueUserMail } from '../queue-review-mail';
import { UNCLAIMED, type ReviewPolicy } from '../reviewed-verification';

type RequestInformation = Parameters<KycReviewActivities['requestInformation']>[0];

/**
 * Asks the user for more; their documents of the named types are rejected, and new ones can be uploaded however many there
 * were. Refused: NOT_REVIEWABLE, ALREADY_CLAIMED.
 */
export const requestInformation = (
  { db, policy }: { db: Db; policy: ReviewPolicy },
  { documents, submittedAt, ...decision }: RequestInformation,
): Promise<KycReviewState> =>
  decide(db, decision, async (tx, reviewed) => {
    await requireHolder(tx, reviewed);
    await requireSeen(tx, reviewed, submittedAt);
    const { user, verification, note, at } = reviewed;
    await rejectTypes(tx, verification.id, documents);
    await giveTryBack(tx, user.id, documents, policy.kycTries);
    if (note.text === null) throw new Error(`The note ${decision.noteId} asks for nothing.`);
    const mail = informationRequestedLetter({
      ...user,
      message: note.text,
      documents,
      until: answerDue(at, policy),
    });
    await queueUserMail(tx, user, `kyc:${verification.id}:information:${decision.noteId}`, mail);
    return {
      columns: {
        status: 'NEEDS_INFO',
        ...UNCLAIMED,
        requestedMessage: sealRequestedMessage(keysOf(tx), verification.id, note.text),
        requestedDocuments: documents,
        remindedAt: null,
        dueAt: nextLookAt(at, at, policy),
      },
      action: 'INFO_REQUESTED',
      audited: 'kyc.request-info',
      values: { documents },
    };
  });

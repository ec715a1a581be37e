import { announce } from '../../../../db/administration/domain-event/domain-event.writes';
import { acceptDocuments } from '../../../../db/kyc/document/document-decisions.transitions';
import { removeTries } from '../../../../db/kyc/document/document-removal.transitions';
import { documentsOf } from '../../../../db/kyc/document/document.reads';
import { addKycEvent } from '../../../../db/kyc/history/history.writes';
import { supersedeApprovals } from '../../../../db/kyc/review/other-verifications.transitions';
import type { Tx } from '../../../../db/sql/query';
import { businessRefusal, refusal } from '../../../../workflows/errors';
import { approvalEnd, isDocumentExpired } from '../../../../workflows/kyc/kyc-expiry.rules';
import { approvalInForce, missingDocuments, type ReviewedLevel } from '../../../../workflows/kyc/kyc.rules';
import type {
  KycApproval,
  KycReviewActivities,
  KycReviewState,
} from '../../../../workflows/kyc/review/kyc-review.contract';
import { approvedLetter } from '../../../../workflows/kyc/review/kyc-review.letters';
import type { DbDeps } from '../../../steps';
import { decide, requireHolder, requireSeen, type Case } from './decide';
import { queueUserMail } from '../queue-review-mail';
import { UNCLAIMED } from '../reviewed-verification';
import { statedInfo } from '../stated-info';

type Approve = Parameters<KycReviewActivities['approveVerification']>[0];

/**
 * Approves a verification at a level, which the user has from now on unless they have a higher one, with all tries for the
 * next one; earlier approvals of no higher level are superseded. Refused: NOT_REVIEWABLE, ALREADY_CLAIMED, VALIDATION_ERROR (KYC_DOCUMENTS_MISSING, KYC_DOCUMENT_EXPIRED,
 * KYC_UNREADABLE, `expiresAt`).
 */
export const approveVerification = (
  { db }: DbDeps,
  { level, expiresAt, submittedAt, ...decision }: Approve,
): Promise<KycReviewState> =>
  decide(db, decision, async (tx, reviewed) => {
    await requireHolder(tx, reviewed);
    await requireSeen(tx, reviewed, submittedAt);
    const { user, verification, note, at } = reviewed;
    const kycId = verification.id;
    const end = await requireApprovable(tx, reviewed, { level, expiresAt });
    const inForce = await replaceApprovals(tx, user.id, { level, expiresAt: end }, at);
    await acceptDocuments(tx, kycId);
    await removeTries(tx, user.id);
    await announce(tx, { type: 'kyc.approved', kycId, userId: user.id, level }, decision.at);
    await queueUserMail(
      tx,
      user,
      `kyc:${kycId}:approved`,
      approvedLetter({ ...user, level, inForce, expiresAt: end }),
    );
    return {
      columns: {
        status: 'APPROVED',
        level,
        expiresAt: end,
        decidedAt: at,
        decidedBy: note.actorId,
        ...UNCLAIMED,
        dueAt: null,
      },
      level: inForce,
      action: 'APPROVED',
      audited: 'kyc.approve',
      values: { level, expiresAt: end },
    };
  });

/** Ends the approvals that this one replaces; returns the level that the user has from now on. */
async function replaceApprovals(
  tx: Tx,
  userId: string,
  approval: { level: ReviewedLevel; expiresAt: Date | null },
  at: Date,
): Promise<ReviewedLevel> {
  const { superseded, remaining } = await supersedeApprovals(tx, userId, approval.level, at);
  for (const { id: kycId } of superseded)
    await addKycEvent(tx, { kycId, action: 'SUPERSEDED', performedBy: null, note: null, at });
  return (approvalInForce(remaining, at) ?? approval).level;
}

/** The end of the approval. Refuses one that the documents, or the chosen end, do not allow. */
async function requireApprovable(
  tx: Tx,
  { verification, at }: Case,
  { level, expiresAt }: Pick<KycApproval, 'level' | 'expiresAt'>,
): Promise<Date | null> {
  const chosen = expiresAt === null ? null : new Date(expiresAt);
  if (chosen !== null && chosen <= at) throw wrongEnd('must be in the future');
  if (chosen !== null && level === 'BASIC')
    throw wrongEnd('cannot be set for level BASIC, which does not expire');

  const info = statedInfo(tx, verification, unreadable);
  if (!info) throw new Error(`The verification ${verification.id} has no personal data.`);
  const missing = missingDocuments(level, info.documentType, await documentsOf(tx, verification.id));
  if (missing.length > 0)
    throw businessRefusal(
      'KYC_DOCUMENTS_MISSING',
      `Documents that level ${level} needs are missing: ${missing.join(', ')}.`,
      { documents: missing },
    );
  const { documentExpiryDate } = info;
  if (level !== 'BASIC' && isDocumentExpired(documentExpiryDate, at))
    throw businessRefusal('KYC_DOCUMENT_EXPIRED', 'The identity document has expired.');
  return approvalEnd(level, { approvedAt: at, documentExpiryDate, chosen });
}

const unreadable = (): Error =>
  businessRefusal(
    'KYC_UNREADABLE',
    'The personal data cannot be read. Restore the sealing key, or ask the user to state them again.',
  );

const wrongEnd = (fault: string): Error =>
  refusal('VALIDATION_ERROR', 'The request is not valid.', { expiresAt: [fault] });

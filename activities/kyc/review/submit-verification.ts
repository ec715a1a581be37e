import { announce } from '../../../db/administration/domain-event/domain-event.writes';
import { markSubmitted } from '../../../db/kyc/document/document-decisions.transitions';
import { forgetUploads } from '../../../db/kyc/document/document-removal.transitions';
import { documentsOf, triesWith } from '../../../db/kyc/document/document.reads';
import { largestOpenPrincipals } from '../../../db/investment/participation/open-participations.reads';
import { storeSubmittedNumber } from '../../../db/kyc/number/submitted-number.writes';
import { previousVerification, type Verification } from '../../../db/kyc/verification/verification.reads';
import { keysOf } from '../../../db/sealing/keys-of';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import { KYC_DOCUMENT_TYPES, type PersonalInfo } from '../../../workflows/kyc/kyc.rules';
import {
  requireComplete,
  requireResubmittable,
  requireTriesLeft,
  unreadableStatement,
} from '../../../workflows/kyc/require-submittable';
import type { KycReviewActivities, KycReviewState } from '../../../workflows/kyc/review/kyc-review.contract';
import { submittedLetter } from '../../../workflows/kyc/review/kyc-review.letters';
import { queueUserMail } from './queue-review-mail';
import {
  change,
  isLargeInvestment,
  lockReviewed,
  reviewDue,
  stateOf,
  type ReviewPolicy,
} from './reviewed-verification';
import { statedInfo } from './stated-info';

type Submit = Parameters<KycReviewActivities['submitVerification']>[0];

/**
 * Submits a verification. The same submission again only returns its state. Refused: NOT_EDITABLE, DOCUMENTS_MISSING,
 * MAX_ATTEMPTS, RESUBMISSION_TOO_SOON; VALIDATION_ERROR (RESUBMISSION_NOT_ALLOWED, KYC_DOCUMENT_EXPIRED, KYC_UNREADABLE).
 */
export const submitVerification = (
  { db, policy }: { db: Db; policy: ReviewPolicy },
  { submissionId, ...command }: Submit,
): Promise<KycReviewState> =>
  inTransaction(db, async (tx) => {
    const reviewed = await lockReviewed(tx, command);
    const { user, verification } = reviewed;
    if (verification.submissionId === submissionId) return stateOf(verification);
    const at = new Date(command.at);
    requireOpen(verification);
    requireResubmittable(await previousVerification(tx, verification), policy, at);
    const { documentNumber } = await requireDocuments(tx, verification, policy, at);

    const { id: kycId, requestedLevel } = verification;
    await forgetUploads(tx, user.id);
    await markSubmitted(tx, kycId, at);
    await storeSubmittedNumber(tx, keysOf(tx), { kycId, documentNumber }, at);
    const open = await largestOpenPrincipals(tx, user.id);
    const isUrgent =
      requestedLevel === 'ENHANCED' ||
      verification.priority === 'HIGH' ||
      open.some((principal) => isLargeInvestment(principal, policy));
    const priority = isUrgent ? 'HIGH' : 'NORMAL';
    const columns = {
      status: 'SUBMITTED',
      submissionId,
      firstSubmittedAt: verification.firstSubmittedAt ?? at,
      submittedAt: at,
      priority,
      dueAt: reviewDue(at, priority, policy),
      escalatedAt: null,
      remindedAt: null,
      requestedMessage: null,
      requestedDocuments: null,
    } as const;
    const event = { action: 'SUBMITTED', performedBy: user.id, note: null } as const;
    const state = await change(tx, reviewed, { columns, user: { kycStatus: 'SUBMITTED' }, event }, at);
    const submitted = { kycId, userId: user.id, submissionId, level: requestedLevel };
    await announce(tx, { type: 'kyc.submitted', ...submitted }, command.at);
    const mail = submittedLetter({ ...user, level: requestedLevel });
    await queueUserMail(tx, user, `kyc:${kycId}:submitted:${submissionId}`, mail);
    return state;
  });

const notStarted = (): Error =>
  refusal('DOCUMENTS_MISSING', 'Start a verification, and upload its documents, before you submit it.');

function requireOpen({ status }: Verification): void {
  if (status === 'SUBMITTED' || status === 'UNDER_REVIEW')
    throw refusal('NOT_EDITABLE', 'Your verification is already being reviewed.');
  if (status !== 'DOCUMENTS_PENDING' && status !== 'NEEDS_INFO') throw notStarted();
}

async function requireDocuments(
  tx: Tx,
  verification: Verification,
  policy: ReviewPolicy,
  at: Date,
): Promise<PersonalInfo> {
  const info = statedInfo(tx, verification, unreadableStatement);
  if (!info) throw notStarted();
  const documents = await documentsOf(tx, verification.id);
  const tries = await triesWith(tx, verification.userId, KYC_DOCUMENT_TYPES);
  requireTriesLeft(verification.requestedLevel, info, documents, tries, policy);
  requireComplete(verification.requestedLevel, info, documents, at);
  return info;
}

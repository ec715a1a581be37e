import { momentInWords } from '../administration/outbox/letter.rules';
import { businessRefusal, refusal } from '../errors';
import { isDocumentExpired } from './kyc-expiry.rules';
import {
  missingDocuments,
  neededDocuments,
  type KycDocumentStatus,
  type KycDocumentType,
  type PersonalInfo,
  type RequestableLevel,
} from './kyc.rules';
import { nextSubmissionAt, type EarlierVerification } from './resubmission.rules';
import { isUsedUp, type DocumentTries } from './submission.rules';

/**
 * Refuses a submission that the verification before it, if there was one, does not allow: RESUBMISSION_TOO_SOON, and
 * VALIDATION_ERROR (RESUBMISSION_NOT_ALLOWED).
 */
export function requireResubmittable(
  previous: (EarlierVerification & { canResubmit: boolean }) | null,
  { kycResubmissionHours }: { kycResubmissionHours: number },
  at: Date,
): void {
  if (!previous) return;
  if (previous.status === 'REJECTED' && !previous.canResubmit)
    throw businessRefusal('RESUBMISSION_NOT_ALLOWED', 'You cannot submit another verification.');
  const earliest = nextSubmissionAt(previous, kycResubmissionHours);
  if (earliest !== null && earliest > at)
    throw refusal('RESUBMISSION_TOO_SOON', `You can submit again from ${momentInWords(earliest)}.`);
}

/**
 * Refuses a submission with MAX_ATTEMPTS where documents that its level needs were rejected too often, or where one is missing of
 * which no more files can be uploaded.
 */
export function requireTriesLeft(
  requestedLevel: RequestableLevel,
  { documentType }: Pick<PersonalInfo, 'documentType'>,
  documents: readonly { type: KycDocumentType; status: KycDocumentStatus }[],
  tries: readonly DocumentTries[],
  policy: { kycTries: number; kycFilesPerTry: number },
): void {
  const needed = neededDocuments(requestedLevel, documentType);
  const missing = missingDocuments(requestedLevel, documentType, documents);
  const usedUp = tries
    .filter(({ type }) => needed.includes(type))
    .filter((type) => (missing.includes(type.type) ? isUsedUp(type, policy) : type.tries >= policy.kycTries))
    .map(({ type }) => type);
  if (usedUp.length > 0)
    throw refusal('MAX_ATTEMPTS', 'These documents cannot be submitted again. Contact support.', {
      documents: usedUp,
    });
}

/** Refuses a submission that is not complete: DOCUMENTS_MISSING, and VALIDATION_ERROR (KYC_DOCUMENT_EXPIRED). */
export function requireComplete(
  requestedLevel: RequestableLevel,
  info: Pick<PersonalInfo, 'documentType' | 'documentExpiryDate'>,
  documents: readonly { type: KycDocumentType; status: KycDocumentStatus }[],
  at: Date,
): void {
  if (isDocumentExpired(info.documentExpiryDate, at))
    throw businessRefusal('KYC_DOCUMENT_EXPIRED', 'Your identity document has expired.', {
      'personalInfo.documentExpiryDate': ['must not be in the past'],
    });
  const missing = missingDocuments(requestedLevel, info.documentType, documents);
  if (missing.length > 0)
    throw refusal('DOCUMENTS_MISSING', `Documents are missing: ${missing.join(', ')}.`, {
      documents: missing,
    });
}

/** The refusal of a submission whose personal data cannot be opened, since a sealing key is lost; stating them anew helps. */
export const unreadableStatement = (): Error =>
  businessRefusal('KYC_UNREADABLE', 'Your personal data cannot be read. State them again, then submit.');

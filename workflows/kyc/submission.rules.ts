import { isAtLeast, type KycDocumentType, type KycLevel, type RequestableLevel } from './kyc.rules';
import type { KycVerificationStatus } from './review/kyc-review.states';

/** Chosen: the days before its expiry in which an approved level can be verified anew. */
const RENEWAL_DAYS = 60;
const DAY_MS = 24 * 3_600_000;

/** True while its user can change its data and documents. */
export const isEditable = (status: KycVerificationStatus): boolean =>
  status === 'DOCUMENTS_PENDING' || status === 'NEEDS_INFO';

/** True while reviewers work with it, so that nothing of it changes. */
export const isInReview = (status: KycVerificationStatus): boolean =>
  status === 'SUBMITTED' || status === 'UNDER_REVIEW';

/** True of a verification that has come to nothing, or whose time is over: the approval in force stands instead, if there is one. */
export const isOver = (status: KycVerificationStatus): boolean =>
  status === 'EXPIRED' || status === 'WITHDRAWN';

/** True if an approved level makes a verification for the wanted one needless. */
export const isStillApproved = (
  approved: { level: KycLevel; expiresAt: Date | null },
  wanted: RequestableLevel,
  at: Date,
): boolean =>
  isAtLeast(approved.level, wanted) &&
  (approved.expiresAt === null || approved.expiresAt.getTime() - at.getTime() > RENEWAL_DAYS * DAY_MS);

/** A user's tries with a type of document, and its files since the last submission. */
export interface DocumentTries {
  type: KycDocumentType;
  tries: number;
  uploads: number;
}

/** True if no more documents of this type can be uploaded. */
export const isUsedUp = (
  { tries, uploads }: Pick<DocumentTries, 'tries' | 'uploads'>,
  { kycTries, kycFilesPerTry }: { kycTries: number; kycFilesPerTry: number },
): boolean => tries >= kycTries || uploads >= kycFilesPerTry;

/** The years between two ISO 8601 dates that are complete. */
export function completeYears(from: string, to: string): number {
  const years = Number(to.slice(0, 4)) - Number(from.slice(0, 4));
  return to.slice(5) < from.slice(5) ? years - 1 : years;
}

/** The last question of a reviewer to the user of a verification; null if there is none, or once it is answered. */
export const informationRequestOf = ({
  requestedMessage: message,
  requestedDocuments: documents,
}: {
  requestedMessage: string | null;
  requestedDocuments: KycDocumentType[] | null;
}): { message: string; documents: KycDocumentType[] } | null =>
  message === null ? null : { message, documents: documents ?? [] };

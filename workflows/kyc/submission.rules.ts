import { DAY_MS } from '../kit/values/durations.rules';
import {
  isAtLeast,
  type KycDocumentType,
  type KycLevel,
  type KycStatus,
  type RequestableLevel,
} from './kyc.rules';
import type { KycVerificationStatus } from './review/kyc-review.states';

/** Chosen: the days before its expiry in which an approved level can be verified anew. */
const RENEWAL_DAYS = 60;

/** The statuses in which its user can change its data and documents. */
export const EDITABLE_STATUSES = [
  'DOCUMENTS_PENDING',
  'NEEDS_INFO',
] as const satisfies readonly KycVerificationStatus[];

/** True while its user can change its data and documents. */
export const isEditable = (status: KycVerificationStatus): boolean =>
  EDITABLE_STATUSES.some((editable) => editable === status);

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

/** The ways in which a verification is over without a decision about it. */
export const KYC_ENDINGS = [
  'EXPIRED',
  'SUPERSEDED',
  'WITHDRAWN',
] as const satisfies readonly KycVerificationStatus[];
export type KycEnding = (typeof KYC_ENDINGS)[number];

const STATUS_AFTER: Readonly<Record<KycEnding, KycStatus>> = {
  EXPIRED: 'NOT_STARTED',
  SUPERSEDED: 'APPROVED',
  WITHDRAWN: 'NOT_STARTED',
};

/**
 * The status of a verification among those of the contract, which has none for what is over: an approval that another has
 * replaced stays APPROVED, one that is expired or withdrawn is NOT_STARTED. `ending` tells which it is.
 */
export function shownStatus(status: KycVerificationStatus): { status: KycStatus; ending: KycEnding | null } {
  const ending = KYC_ENDINGS.find((one) => one === status);
  return ending ? { status: STATUS_AFTER[ending], ending } : { status: status as KycStatus, ending: null };
}

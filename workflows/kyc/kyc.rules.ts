/** The progress of a user's identity verification. */
export const KYC_STATUSES = [
  'NOT_STARTED',
  'DOCUMENTS_PENDING',
  'SUBMITTED',
  'UNDER_REVIEW',
  'APPROVED',
  'REJECTED',
  'NEEDS_INFO',
] as const;
export type KycStatus = (typeof KYC_STATUSES)[number];

/** The levels of verification, in ascending order. */
export const KYC_LEVELS = ['NONE', 'BASIC', 'STANDARD', 'ENHANCED'] as const;
export type KycLevel = (typeof KYC_LEVELS)[number];

/** The levels that a user can ask for; BASIC comes with the verified email address. */
export const REQUESTABLE_LEVELS = ['STANDARD', 'ENHANCED'] as const;
export type RequestableLevel = (typeof REQUESTABLE_LEVELS)[number];

/** The levels that a reviewer can give. */
export const REVIEWED_LEVELS = ['BASIC', 'STANDARD', 'ENHANCED'] as const;
export type ReviewedLevel = (typeof REVIEWED_LEVELS)[number];

/** The documents by which a person proves who they are. */
export const IDENTITY_DOCUMENTS = ['PASSPORT', 'NATIONAL_ID', 'DRIVERS_LICENCE'] as const;
export type IdentityDocument = (typeof IDENTITY_DOCUMENTS)[number];

export const KYC_DOCUMENT_TYPES = [...IDENTITY_DOCUMENTS, 'SELFIE', 'ADDRESS_PROOF', 'INCOME_PROOF'] as const;
export type KycDocumentType = (typeof KYC_DOCUMENT_TYPES)[number];

export const KYC_DOCUMENT_STATUSES = ['UPLOADED', 'ACCEPTED', 'REJECTED'] as const;
export type KycDocumentStatus = (typeof KYC_DOCUMENT_STATUSES)[number];

/** The types of files that documents are stored as. */
export const KYC_CONTENT_TYPES = ['image/jpeg', 'image/png', 'application/pdf'] as const;
export type KycContentType = (typeof KYC_CONTENT_TYPES)[number];

/** A reviewer's reasons for rejecting a verification or a document. SUSPECTED_FRAUD is final. */
export const KYC_REJECTIONS = [
  'DOCUMENT_BLURRY',
  'DOCUMENT_EXPIRED',
  'SELFIE_MISMATCH',
  'INFO_MISMATCH',
  'SUSPECTED_FRAUD',
] as const;
export type KycRejection = (typeof KYC_REJECTIONS)[number];

/** The reasons of rejected verifications. INFO_NOT_PROVIDED: its user did not answer the reviewer's request in time. */
export const KYC_REJECTION_REASONS = [...KYC_REJECTIONS, 'INFO_NOT_PROVIDED'] as const;
export type KycRejectionReason = (typeof KYC_REJECTION_REASONS)[number];

/** The priorities of the review queue, the most urgent first. */
export const KYC_PRIORITIES = ['HIGH', 'NORMAL', 'LOW'] as const;
export type KycPriority = (typeof KYC_PRIORITIES)[number];

/** The events in the history of a verification. */
export const KYC_ACTIONS = [
  'STARTED',
  'CHANGED',
  'DOCUMENT_UPLOADED',
  'DOCUMENT_DELETED',
  'SUBMITTED',
  'CLAIMED',
  'RELEASED',
  'INFO_REQUESTED',
  'APPROVED',
  'REJECTED',
  'ESCALATED',
  'REVIEWER_REMINDED',
  'USER_REMINDED',
  'EXPIRY_NOTICE_SENT',
  'EXPIRED',
  'SUPERSEDED',
  'WITHDRAWN',
  'RESUBMISSION_ALLOWED',
] as const;
export type KycAction = (typeof KYC_ACTIONS)[number];

/** The personal data of a verification, as its user states it and its reviewer compares it. */
export interface PersonalInfo {
  firstName: string;
  lastName: string;
  middleName: string | null;
  /** ISO 8601 date. */
  dateOfBirth: string;
  /** ISO 3166-1 alpha-2, as is `address.country`. */
  nationality: string;
  documentNumber: string;
  documentType: IdentityDocument;
  /** ISO 8601 dates; null where the document has none. */
  documentIssueDate: string | null;
  documentExpiryDate: string;
  address: {
    country: string;
    region: string;
    city: string;
    street: string;
    building: string;
    apartment: string | null;
    postalCode: string;
  };
}

/** The documents that a level needs; one of the identity documents is the one that the personal data names. */
export const neededDocuments = (
  level: ReviewedLevel,
  documentType: IdentityDocument,
): readonly KycDocumentType[] =>
  level === 'BASIC'
    ? []
    : [documentType, 'SELFIE', ...(level === 'ENHANCED' ? (['ADDRESS_PROOF', 'INCOME_PROOF'] as const) : [])];

/** The documents that a level needs and these lack. REJECTED documents do not count. */
export function missingDocuments(
  level: ReviewedLevel,
  documentType: IdentityDocument,
  documents: readonly { type: KycDocumentType; status: KycDocumentStatus }[],
): KycDocumentType[] {
  return neededDocuments(level, documentType).filter(
    (type) => !documents.some((document) => document.type === type && document.status !== 'REJECTED'),
  );
}

/** Of several approvals that of the highest level; null without any. */
export const highestApproval = <Approval extends { level: ReviewedLevel }>(
  approvals: readonly Approval[],
): Approval | null =>
  approvals.reduce<Approval | null>(
    (highest, one) => (highest !== null && isAtLeast(highest.level, one.level) ? highest : one),
    null,
  );

/**
 * The approval that gives a user their level at a time: of those whose time is not over the highest. Null if there is none,
 * and the level is that of the verified email address.
 */
export const approvalInForce = <Approval extends { level: ReviewedLevel; expiresAt: Date | null }>(
  approvals: readonly Approval[],
  at: Date,
): Approval | null =>
  highestApproval(approvals.filter(({ expiresAt }) => expiresAt === null || expiresAt > at));

/** True if a level is at least the wanted one. */
export const isAtLeast = (level: KycLevel, wanted: KycLevel): boolean =>
  KYC_LEVELS.indexOf(level) >= KYC_LEVELS.indexOf(wanted);

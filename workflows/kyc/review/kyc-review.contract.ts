import { defineSignal } from '@temporalio/workflow';
import { decision } from '../../kit/decision';
import { defineProcess } from '../../kit/process';
import type { KycDocumentType, KycRejection, ReviewedLevel } from '../kyc.rules';
import type { KycVerificationStatus } from './kyc-review.states';

export interface KycReviewInput {
  kycId: string;
  userId: string;
  /** The state with which the process continues as new. */
  state?: KycReviewState | undefined;
}

/**
 * REFUSED: nothing was submitted. ERASED: the account is gone. ABANDONED: an operator gave the process up; the rows stay as
 * they are.
 */
export type KycReviewResult = 'REFUSED' | 'APPROVED' | 'REJECTED' | 'ERASED' | 'ABANDONED';

/** The review of one verification, from its first submission to the decision. */
export const kycReviewProcess = defineProcess<KycReviewInput, KycReviewResult, 'kycId'>({
  type: 'kycReview',
  queue: 'interactive',
  area: 'kyc',
  id: ({ kycId }) => `kyc-review:${kycId}`,
  entityId: ({ kycId }) => kycId,
  resource: 'verification',
  userId: ({ userId }) => userId,
  summary: ({ kycId }) => `Identity verification ${kycId}`,
  repeatable: true,
  parks: true,
  ownMatter: 'your own verification',
  drives: {
    table: 'kyc_verifications',
    key: { kycId: 'id', userId: 'user_id' },
    column: 'status',
    open: ['SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO'],
    since: 'submitted_at',
    // One whose account was erased, WITHDRAWN, still has its process until that looks at it again.
    settled: ['APPROVED', 'REJECTED', 'EXPIRED', 'SUPERSEDED'],
    settledSince: 'updated_at',
  },
});

/** The state of a verification, as its process follows it. */
export interface KycReviewState {
  status: KycVerificationStatus;
  /** ISO 8601: when the process acts next; null when it is decided. */
  dueAt: string | null;
}

/** A decision of a reviewer; the stored note names them, with their own words. */
export interface KycDecision {
  noteId: string;
}

/** A decision on what was submitted, which the reviewer has seen. */
export interface KycJudgement extends KycDecision {
  /** ISO 8601: the submission that the reviewer decides on; left out, see `requireSeen`. */
  submittedAt?: string | undefined;
}

export interface KycInfoRequest extends KycJudgement {
  /** The types of documents that are needed anew; the present ones of these types are rejected. */
  documents: KycDocumentType[];
}

export interface KycApproval extends KycJudgement {
  level: ReviewedLevel;
  /** ISO 8601; null: the default of the level. */
  expiresAt: string | null;
}

export interface KycRejectionDecision extends KycJudgement {
  reason: KycRejection;
  documents: { documentId: string; reason: KycRejection }[];
  allowResubmission: boolean;
}

/**
 * Submits a verification, first or after a request for information. Refused: NOT_EDITABLE, DOCUMENTS_MISSING,
 * MAX_ATTEMPTS, RESUBMISSION_TOO_SOON, VALIDATION_ERROR (RESUBMISSION_NOT_ALLOWED, KYC_UNREADABLE, the document has expired).
 */
export const submitVerification = decision<KycReviewState, [{ submissionId: string }]>('submitVerification', {
  ifClosed: 'SERVICE_UNAVAILABLE',
});

/** Claims it for a reviewer, also over another's claim for a SUPER_ADMIN. Refused: NOT_REVIEWABLE, ALREADY_CLAIMED. */
export const claimVerification = decision<KycReviewState, [KycDecision]>('claimVerification', {
  ifClosed: 'NOT_REVIEWABLE',
});

/** Puts it back into the queue. Refused: NOT_REVIEWABLE (it is not claimed), ALREADY_CLAIMED (by somebody else). */
export const releaseVerification = decision<KycReviewState, [KycDecision]>('releaseVerification', {
  ifClosed: 'NOT_REVIEWABLE',
});

/** Asks the user for more. Refused: NOT_REVIEWABLE, ALREADY_CLAIMED. */
export const requestInformation = decision<KycReviewState, [KycInfoRequest]>('requestInformation', {
  ifClosed: 'NOT_REVIEWABLE',
});

/** Approves it. Refused: NOT_REVIEWABLE, ALREADY_CLAIMED, VALIDATION_ERROR (documents missing or expired, KYC_UNREADABLE). */
export const approveVerification = decision<KycReviewState, [KycApproval]>('approveVerification', {
  ifClosed: 'NOT_REVIEWABLE',
});

/** Rejects it. Refused: NOT_REVIEWABLE, ALREADY_CLAIMED, VALIDATION_ERROR (a document that it does not hold). */
export const rejectVerification = decision<KycReviewState, [KycRejectionDecision]>('rejectVerification', {
  ifClosed: 'NOT_REVIEWABLE',
});

/** Its priority has risen, so that it is due earlier. */
export const verificationUrged = defineSignal('verificationUrged');

/** Its row was erased with the account: the process ends as ERASED. */
export const rowErased = defineSignal('rowErased');

interface Step extends Pick<KycReviewInput, 'kycId' | 'userId'> {
  /** ISO 8601. */
  at: string;
}

/** Each is one transaction; run again, it returns the same as the first time. */
export interface KycReviewActivities {
  submitVerification: (command: Step & { submissionId: string }) => Promise<KycReviewState>;
  claimVerification: (decision: Step & KycDecision) => Promise<KycReviewState>;
  releaseVerification: (decision: Step & KycDecision) => Promise<KycReviewState>;
  requestInformation: (request: Step & KycInfoRequest) => Promise<KycReviewState>;
  approveVerification: (approval: Step & KycApproval) => Promise<KycReviewState>;
  rejectVerification: (rejection: Step & KycRejectionDecision) => Promise<KycReviewState>;
  /** Does what is due at `at`: ends a claim, escalates, reminds, or rejects what its user did not complete. */
  advanceReview: (step: Step) => Promise<KycReviewState>;
  /** Null: nothing was submitted. */
  kycReviewState: (verification: { kycId: string }) => Promise<KycReviewState | null>;
}

import type { Verification } from '../../../db/kyc/verification/verification.reads';
import { businessRefusal } from '../../../workflows/errors';
import { isEditable, isInReview } from '../../../workflows/kyc/submission.rules';

/** The refusal of a change while reviewers work with the verification. */
export const inReview = (): Error =>
  businessRefusal('KYC_IN_REVIEW', 'Your identity verification is in review and cannot be changed.');

/** The refusal where no verification has begun, or the last one is decided. */
export const notStarted = (): Error =>
  businessRefusal('KYC_NOT_STARTED', 'Start an identity verification first.');

/** The user's latest verification, if they can change it. Refuses with VALIDATION_ERROR: KYC_IN_REVIEW, KYC_NOT_STARTED. */
export function requireEditable(latest: Verification | null): Verification {
  if (latest && isInReview(latest.status)) throw inReview();
  if (!latest || !isEditable(latest.status)) throw notStarted();
  return latest;
}

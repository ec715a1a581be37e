import type { Verification } from '../../../db/kyc/verification/verification.reads';
import { businessRefusal, refusal } from '../../../workflows/errors';
import { isEditable, isInReview } from '../../../workflows/kyc/submission.rules';

/** The refusal of a change while reviewers work with the verification. */
export const inReview = (): Error => refusal('NOT_EDITABLE');

/** The refusal of a change where no verification has begun, or the last one is decided. */
export const notStarted = (): Error => refusal('NOT_EDITABLE', 'Start an identity verification first.');

/** The refusal of a verification after a final rejection. */
export const resubmissionNotAllowed = (): Error =>
  businessRefusal('RESUBMISSION_NOT_ALLOWED', 'This verification cannot be submitted again.');

/** The user's latest verification, if they can change it. Refuses with NOT_EDITABLE. */
export function requireEditable(latest: Verification | null): Verification {
  if (latest && isInReview(latest.status)) throw inReview();
  if (!latest || !isEditable(latest.status)) throw notStarted();
  return latest;
}

/** The user's latest verification, if they can submit it. Refuses with NOT_EDITABLE while it is in review, else with DOCUMENTS_MISSING. */
export function requireDraft(latest: Verification | null): Verification {
  if (latest && isInReview(latest.status)) throw inReview();
  if (!latest || !isEditable(latest.status))
    throw refusal('DOCUMENTS_MISSING', 'Start an identity verification, and upload its documents first.');
  return latest;
}

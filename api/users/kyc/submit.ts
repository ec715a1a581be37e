import { latestVerification } from '../../../db/kyc/verification/verification.reads';
import { kycReviewProcess, submitVerification } from '../../../workflows/kyc/review/kyc-review.contract';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { KycView, kycView } from './kyc.view';
import { requireDraft } from './own-verification';
import { requireSubmittable } from './submittable';

export const submitKyc = endpoint({
  id: 'submitKyc',
  returns: 'The verification, which is now in review',
  method: 'post',
  path: '/users/kyc/submit',
  summary: 'Submit my identity verification',
  description:
    'STANDARD needs the identity document that was stated and a selfie with it, ENHANCED also proofs of address and income; rejected documents do not count. From then on it is in review and cannot be changed. After a rejection, 24 hours pass from one submission to the next.',
  tag: 'Identity verification',
  auth: 'user',
  limit: perMinute(100),
  // A reviewer may ask for more before the answer is made, which then has their words.
  idempotent: 'sealed',

  success: 200,
  data: KycView,
  errors: { NOT_EDITABLE: 400, DOCUMENTS_MISSING: 400, RESUBMISSION_TOO_SOON: 400, MAX_ATTEMPTS: 400 },

  async handle(_request, context) {
    const { caller, db, mint, processes, request } = context;
    const { submission: submissionId } = await mint('submission');
    const latest = await latestVerification(db, caller.id);
    // A repetition, whose first try was carried out: what follows is up to its process.
    if (latest?.submissionId !== submissionId) {
      const verification = requireDraft(latest);
      // Before a process starts for nothing; decided again with the lock.
      await requireSubmittable(context, verification);
      await processes.open(
        kycReviewProcess,
        { kycId: verification.id, userId: caller.id },
        submitVerification,
        { submissionId },
        { updateId: request.idempotencyId },
      );
    }
    return kycView(context);
  },
});

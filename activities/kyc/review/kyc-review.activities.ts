import { verificationOf } from '../../../db/kyc/verification/verification.reads';
import type { Db } from '../../../db/sql/query';
import type { KycReviewActivities } from '../../../workflows/kyc/review/kyc-review.contract';
import { advanceReview, type ReviewClock } from './advance-review';
import { approveVerification } from './decisions/approve-verification';
import { claimVerification } from './claim-verification';
import { rejectVerification } from './decisions/reject-verification';
import { releaseVerification } from './release-verification';
import { requestInformation } from './decisions/request-information';
import { stateOf } from './reviewed-verification';
import { submitVerification } from './submit-verification';

export const kycReviewActivities = ({
  db,
  policy,
  queueEmail,
}: { db: Db } & ReviewClock): KycReviewActivities => ({
  submitVerification: (command) => submitVerification(db, policy, command),

  claimVerification: (decision) => claimVerification(db, policy, decision),

  releaseVerification: (decision) => releaseVerification(db, decision),

  requestInformation: (request) => requestInformation(db, policy, request),

  approveVerification: (approval) => approveVerification(db, approval),

  rejectVerification: (rejection) => rejectVerification(db, policy, rejection),

  advanceReview: (step) => advanceReview(db, { policy, queueEmail }, step),

  async kycReviewState({ kycId }) {
    const verification = await verificationOf(db, kycId);
    return verification === null || verification.status === 'DOCUMENTS_PENDING'
      ? null
      : stateOf(verification);
  },
});

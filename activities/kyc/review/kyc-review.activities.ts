import { verificationOf } from '../../../db/kyc/verification/verification.reads';
import type { KycReviewActivities } from '../../../workflows/kyc/review/kyc-review.contract';
import { steps, type DbDeps } from '../../steps';
import { advanceReview, type ReviewClock } from './advance-review';
import { approveVerification } from './decisions/approve-verification';
import { claimVerification } from './claim-verification';
import { rejectVerification } from './decisions/reject-verification';
import { releaseVerification } from './release-verification';
import { requestInformation } from './decisions/request-information';
import { stateOf } from './reviewed-verification';
import { submitVerification } from './submit-verification';

type Deps = DbDeps & ReviewClock;

export const kycReviewActivities = (deps: Deps): KycReviewActivities =>
  steps<KycReviewActivities, Deps>(deps, {
    submitVerification,
    claimVerification,
    releaseVerification,
    requestInformation,
    approveVerification,
    rejectVerification,
    advanceReview,

    async kycReviewState({ db }, { kycId }) {
      const verification = await verificationOf(db, kycId);
      return verification === null || verification.status === 'DOCUMENTS_PENDING'
        ? null
        : stateOf(verification);
    },
  });

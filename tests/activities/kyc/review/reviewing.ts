import { v7 } from 'uuid';
import { kycReviewActivities } from '../../../../activities/kyc/review/kyc-review.activities';
import { policyFrom } from '../../../../db/policy/config';
import type { Db } from '../../../../db/sql/query';
import type {
  KycApproval,
  KycInfoRequest,
  KycRejectionDecision,
  KycReviewState,
} from '../../../../workflows/kyc/review/kyc-review.contract';
import { noteOf } from '../../../support/builders/ordering';

export const NOTE = 'Looks like a friend of mine.';

interface Options {
  /** Identifies the decision or the submission. */
  id?: string;
  at?: Date;
}

type Named = { kycId: string; userId: string };

export const stepsOf = (db: Db) =>
  kycReviewActivities({ db, policy: policyFrom({}), queueEmail: 'queue@example.com' });

/** The steps of a review on one verification, decided by one reviewer, without a process. */
export function reviewing(db: Db, { kycId, userId }: Named, reviewerId: string) {
  const steps = stepsOf(db);
  const decision = async ({ id, at = new Date() }: Options) => ({
    kycId,
    userId,
    at: at.toISOString(),
    noteId: id ?? (await noteOf(db, reviewerId, NOTE)),
  });
  return {
    submit: ({ id = v7(), at = new Date() }: Options = {}): Promise<KycReviewState> =>
      steps.submitVerification({ kycId, userId, submissionId: id, at: at.toISOString() }),
    claim: async (options: Options = {}) => steps.claimVerification(await decision(options)),
    release: async (options: Options = {}) => steps.releaseVerification(await decision(options)),
    requestInfo: async ({ documents = ['SELFIE'], ...options }: Options & Partial<KycInfoRequest> = {}) =>
      steps.requestInformation({ ...(await decision(options)), documents }),
    approve: async ({
      level = 'STANDARD',
      expiresAt = null,
      ...options
    }: Options & Partial<KycApproval> = {}) =>
      steps.approveVerification({ ...(await decision(options)), level, expiresAt }),
    reject: async ({
      reason = 'INFO_MISMATCH',
      documents = [],
      allowResubmission = true,
      ...options
    }: Options & Partial<KycRejectionDecision> = {}) =>
      steps.rejectVerification({ ...(await decision(options)), reason, documents, allowResubmission }),
    advance: ({ at = new Date() }: Options = {}) =>
      steps.advanceReview({ kycId, userId, at: at.toISOString() }),
  };
}

export type Verb = keyof ReturnType<typeof reviewing>;

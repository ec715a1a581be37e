import type { WorkflowHandle } from '@temporalio/client';
import { v7 } from 'uuid';
import type { Processes } from '../../../../api/http/temporal/temporal';
import type { Db } from '../../../../db/sql/query';
import { refusalIn } from '../../../../workflows/errors';
import {
  approveVerification,
  claimVerification,
  kycReviewProcess,
  rejectVerification,
  releaseVerification,
  requestInformation,
  submitVerification,
  type KycApproval,
  type KycDecision,
  type KycInfoRequest,
  type KycRejectionDecision,
  type KycReviewState,
} from '../../../../workflows/kyc/review/kyc-review.contract';
import { noteOf } from '../../../support/builders/ordering';
import type { MadeVerification } from '../../../support/builders/kyc/verifying';
import type { DecisionDefinition } from '../../../../workflows/kit/decision';

interface Shop {
  db: Db;
  processes: Processes;
}

type Named = Pick<MadeVerification, 'kycId' | 'userId'>;

/** The user submits; the same submission again has the same id. */
export const submits = (
  { processes }: Shop,
  { kycId, userId }: Named,
  submissionId: string = v7(),
): Promise<KycReviewState> =>
  processes.open(
    kycReviewProcess,
    { kycId, userId },
    submitVerification,
    { submissionId },
    { updateId: v7() },
  );

/** A reviewer's decisions on a verification, through its process. */
export function reviewerOf({ db, processes }: Shop, actorId: string) {
  const ask = async <Decision extends KycDecision>(
    { kycId }: Named,
    update: DecisionDefinition<KycReviewState, [Decision]>,
    decision: Omit<Decision, 'noteId'>,
    text: string | null = null,
  ): Promise<KycReviewState> => {
    const noteId = await noteOf(db, actorId, text);
    return processes.ask(kycReviewProcess.id({ kycId }), update, { ...decision, noteId } as Decision, {
      updateId: v7(),
    });
  };
  /** Claims it although its process may have ended. */
  const reopens = async ({ kycId, userId }: Named): Promise<KycReviewState> =>
    processes.open(
      kycReviewProcess,
      { kycId, userId },
      claimVerification,
      { noteId: await noteOf(db, actorId, null) },
      { updateId: v7() },
    );
  return {
    reopens,
    claim: (one: Named) => ask(one, claimVerification, {}),
    release: (one: Named) => ask(one, releaseVerification, {}),
    requestInfo: (one: Named, documents: KycInfoRequest['documents'] = ['SELFIE']) =>
      ask(one, requestInformation, { documents }, 'Please show your whole face.'),
    approve: (one: Named, approval: Partial<KycApproval> = {}) =>
      ask(one, approveVerification, { level: 'STANDARD', expiresAt: null, ...approval }),
    reject: (one: Named, rejection: Partial<KycRejectionDecision> = {}) =>
      ask(one, rejectVerification, {
        reason: 'INFO_MISMATCH',
        documents: [],
        allowResubmission: true,
        ...rejection,
      }),
  };
}

/** `done`, or the code of the refusal, or its reason. */
export const outcomeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      const refused = refusalIn(error);
      if (!refused) throw error;
      return refused.reason ?? refused.code;
    },
  );

/** The current details of a process, as operators read them. */
export const detailsOf = async (process: WorkflowHandle): Promise<string> =>
  (await process.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;

import type { UpdateDefinition } from '@temporalio/common';
import { continueAsNew } from '@temporalio/workflow';
import { Entity } from '../../kit/entity';
import type { Next } from '../../kit/lifecycle';
import { durableTransactions, localTransactions, now } from '../../kit/proxies';
import * as contract from './kyc-review.contract';
import type {
  KycReviewActivities,
  KycReviewInput,
  KycReviewResult,
  KycReviewState,
} from './kyc-review.contract';
import type { KycVerificationStatus } from './kyc-review.states';

/** The review of one verification: from its first submission, over questions to its user, to the decision. */
export async function kycReview({ state, ...input }: KycReviewInput): Promise<KycReviewResult> {
  const local = localTransactions<KycReviewActivities>();
  const durable = durableTransactions<KycReviewActivities>();
  const review = new Entity<KycReviewState>({
    id: input.kycId,
    reading: 'read the state of the verification',
    read: () => local.kycReviewState({ kycId: input.kycId }),
    state,
    renew: (known) => continueAsNew<typeof kycReview>({ ...input, state: known }),
  });
  type Carried<Command> = Command & KycReviewInput & { at: string };
  const carried = <Command>(command: Command): Carried<Command> => ({ ...command, ...input, at: now() });
  const stateIn = (answer: KycReviewState): KycReviewState => answer;
  const decides = <Decision>(
    update: UpdateDefinition<KycReviewState, [Decision]>,
    carryOut: (decision: Carried<Decision>) => Promise<KycReviewState>,
    description: string,
  ): void => review.decides(update, (decision) => carryOut(carried(decision)), { description, stateIn });

  // Durable, since a process that waits for its user's answer finds a lost submission only when the time is over.
  review.opens(contract.submitVerification, (command) => durable.submitVerification(carried(command)), {
    description: 'Submit the verification for review.',
    stateIn,
  });
  decides(contract.claimVerification, durable.claimVerification, 'Claim it for a reviewer.');
  decides(contract.releaseVerification, durable.releaseVerification, 'Put it back into the queue.');
  decides(contract.requestInformation, durable.requestInformation, 'Ask the user for more.');
  decides(contract.approveVerification, durable.approveVerification, 'Approve it.');
  decides(contract.rejectVerification, durable.rejectVerification, 'Reject it.');

  review.hears(contract.verificationUrged, 'Its priority has risen.');
  review.hears(contract.rowErased, 'Its row was erased with the account.');

  return review.follow<KycReviewResult>({
    next({ status, dueAt }): Next<KycReviewResult> {
      const ended = ENDS[status];
      if (ended !== undefined) return { ended };
      return {
        words: `${WAITING[status] ?? ''} Due ${dueAt ?? 'at no time'}.`,
        summary: `${status} until ${dueAt ?? 'a message'}`,
        until: dueAt,
        whenDue: () => review.move('do what is due', () => local.advanceReview({ ...input, at: now() })),
      };
    },
    closing: CLOSING,
    refused: 'REFUSED',
    erased: 'ERASED',
    abandoned: 'ABANDONED',
  });
}

/**
 * The result of the process by the status that ends it. An approval may be over when it is read. What was submitted is
 * withdrawn by an erasure only.
 */
const ENDS: Readonly<Partial<Record<KycVerificationStatus, KycReviewResult>>> = {
  APPROVED: 'APPROVED',
  SUPERSEDED: 'APPROVED',
  REJECTED: 'REJECTED',
  EXPIRED: 'APPROVED',
  WITHDRAWN: 'ERASED',
};

const WAITING: Readonly<Partial<Record<KycVerificationStatus, string>>> = {
  SUBMITTED: 'Waits for a reviewer.',
  UNDER_REVIEW: 'A reviewer has claimed it.',
  NEEDS_INFO: 'Waits for its user, whom a reviewer has asked for more.',
};

const CLOSING: Record<KycReviewResult, string> = {
  REFUSED: 'Refused: nothing was submitted.',
  APPROVED: 'Approved by a reviewer.',
  REJECTED: 'Rejected by a reviewer, or because its user did not answer in time.',
  ERASED: 'Over: the account was erased.',
  ABANDONED: 'Given up by an operator; the verification stays as it is in the database.',
};

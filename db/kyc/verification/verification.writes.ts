import { isEditable } from '../../../workflows/kyc/submission.rules';
import type { KycVerificationStatus } from '../../../workflows/kyc/review/kyc-review.states';
import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { KycVerification } from './kyc-verification.model';
import type { SealedPersonalInfo } from './personal-info';
import type { Verification } from './verification.reads';
import { moveVerification } from './verification.transitions';

/** The statements of a user who begins a verification. */
export type StartedVerification = Pick<Verification, 'id' | 'userId' | 'requestedLevel'> & SealedPersonalInfo;

/** Begins a verification of a user who has no open one; a unique index guards it. */
export const insertVerification = (tx: Tx, started: StartedVerification, at: Date): Promise<void> =>
  table(tx, KycVerification).insert({
    ...started,
    status: 'DOCUMENTS_PENDING',
    createdAt: at,
    updatedAt: at,
  });

/**
 * Replaces what a user stated, of a verification in this status. Throws where it is not theirs to change in it. Its caller has
 * locked the user.
 */
export async function restateVerification(
  tx: Tx,
  from: KycVerificationStatus,
  { id, userId: _userId, ...stated }: StartedVerification,
  at: Date,
): Promise<void> {
  if (!isEditable(from)) throw new Error(`The user of ${id} cannot change it while it is ${from}.`);
  await moveVerification(tx, { id, from }, { ...stated, updatedAt: at });
}

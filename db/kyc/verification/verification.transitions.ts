import { table } from '../../sql/table';
import type { Tx } from '../../sql/query';
import {
  kycVerificationStates,
  type KycVerificationStatus,
} from '../../../workflows/kyc/review/kyc-review.states';
import { KycVerification } from './kyc-verification.model';
import { VERIFICATION_COLUMNS, type Verification } from './verification.reads';

/** A verification, locked until the transaction ends; null if there is none. Lock its user first (`lockUserStanding`). */
export const lockVerification = (tx: Tx, id: string): Promise<Verification | null> =>
  table(tx, KycVerification).one(VERIFICATION_COLUMNS, { id }, { lock: 'UPDATE' });

/**
 * Changes a verification that is in status `from`. Throws when it is not, since its caller has locked and read it, and
 * for a move that the table of states does not have.
 */
export async function moveVerification(
  tx: Tx,
  { id, from }: { id: string; from: KycVerificationStatus },
  changes: Partial<Omit<Verification, 'id' | 'userId' | 'createdAt'>> & { updatedAt: Date },
): Promise<void> {
  const { status: to = from } = changes;
  if (to !== from && !kycVerificationStates.canMove(from, to))
    throw new Error(`A verification does not become ${to} from ${from}.`);
  const moved = await table(tx, KycVerification).update(changes, { id, status: from });
  if (moved !== 1) throw new Error(`The verification ${id} is no longer ${from}.`);
}

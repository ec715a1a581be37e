import type { Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { KycVerification } from '../verification/kyc-verification.model';

/** Ends the approval of a user that a new one replaces; answers its id, or null if there is none. */
export async function supersedeApproval(tx: Tx, userId: string, at: Date): Promise<string | null> {
  const approved = await table(tx, KycVerification).one(
    ['id'],
    { userId, status: 'APPROVED' },
    { lock: 'UPDATE' },
  );
  if (!approved) return null;
  await table(tx, KycVerification).update(
    { status: 'SUPERSEDED', endedAt: at, updatedAt: at },
    { id: approved.id, status: 'APPROVED' },
  );
  return approved.id;
}

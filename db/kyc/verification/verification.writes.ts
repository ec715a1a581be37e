import { execute, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { KycVerification } from './kyc-verification.model';
import type { SealedPersonalInfo } from './personal-info';
import type { Verification } from './verification.reads';

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

/** Replaces what a user stated, of a verification that is still theirs to change. Its caller has locked the user. */
export async function restateVerification(
  tx: Tx,
  { id, userId, ...stated }: StartedVerification,
  at: Date,
): Promise<void> {
  await table(tx, KycVerification).update({ ...stated, updatedAt: at }, { id, userId });
}

/** Makes a new verification hold the user's documents that were neither rejected nor removed. */
export async function carryDocumentsOver(tx: Tx, kycId: string, userId: string): Promise<void> {
  await execute(
    tx,
    `INSERT INTO kyc_verification_documents (kyc_id, document_id)
     SELECT $1, id FROM kyc_documents WHERE user_id = $2 AND status <> 'REJECTED' AND removed_at IS NULL`,
    [kycId, userId],
  );
}

import type { KycDocumentType, KycRejection } from '../../../workflows/kyc/kyc.rules';
import { execute, type Tx } from '../../sql/query';

/** Accepts the documents of a verification that were not rejected. */
export async function acceptDocuments(tx: Tx, kycId: string): Promise<void> {
  await execute(
    tx,
    `UPDATE kyc_verification_documents SET status = 'ACCEPTED'
      WHERE kyc_id = $1 AND status = 'UPLOADED' AND removed_at IS NULL`,
    [kycId],
  );
}

/** Rejects one document of a verification. */
export async function rejectDocument(
  tx: Tx,
  kycId: string,
  { documentId, reason }: { documentId: string; reason: KycRejection },
): Promise<void> {
  await execute(
    tx,
    `UPDATE kyc_verification_documents SET status = 'REJECTED', reason = $3 WHERE kyc_id = $1 AND document_id = $2`,
    [kycId, documentId, reason],
  );
}

/** Rejects the documents of a verification that are of these types, without a reason: new ones are needed. */
export async function rejectTypes(tx: Tx, kycId: string, types: readonly KycDocumentType[]): Promise<void> {
  await execute(
    tx,
    `UPDATE kyc_verification_documents v SET status = 'REJECTED' FROM kyc_documents d
      WHERE v.kyc_id = $1 AND v.document_id = d.id AND d.type = ANY($2::text[]) AND v.status <> 'REJECTED'
        AND v.removed_at IS NULL`,
    [kycId, types],
  );
}

/** Marks the documents of a verification as submitted: from now on they are evidence. */
export async function markSubmitted(tx: Tx, kycId: string, at: Date): Promise<void> {
  await execute(
    tx,
    'UPDATE kyc_verification_documents SET submitted_at = $2 WHERE kyc_id = $1 AND submitted_at IS NULL',
    [kycId, at],
  );
}

/** Leaves a locked user one try at least with each of these types, with all its files. */
export async function giveTryBack(
  tx: Tx,
  userId: string,
  types: readonly KycDocumentType[],
  kycTries: number,
): Promise<void> {
  await execute(
    tx,
    `UPDATE kyc_document_tries SET tries = least(tries, $3::int - 1), uploads = 0
      WHERE user_id = $1 AND type = ANY($2::text[])`,
    [userId, types, kycTries],
  );
}

/** Counts a try of a locked user with each of these types, whose documents a reviewer rejected. */
export async function countTries(tx: Tx, userId: string, types: readonly KycDocumentType[]): Promise<void> {
  await execute(
    tx,
    `INSERT INTO kyc_document_tries AS t (user_id, type, tries, uploads)
     SELECT DISTINCT $1::uuid, rejected.type, 1, 0 FROM unnest($2::text[]) AS rejected (type)
     ON CONFLICT ON CONSTRAINT kyc_document_tries_pkey DO UPDATE SET tries = t.tries + 1`,
    [userId, types],
  );
}

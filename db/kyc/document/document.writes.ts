import type { Attributes } from 'sequelize';
import type { KycDocumentType } from '../../../workflows/kyc/kyc.rules';
import { EDITABLE_STATUSES } from '../../../workflows/kyc/submission.rules';
import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import type { DocumentBlobs } from './document-file';
import { KycDocument } from './kyc-document.model';

/**
 * Counts one more file of this type of a user; false if their tries, or the files of this try, are used up. Uploads at
 * once come one after another here.
 */
export async function countUpload(
  tx: Tx,
  { userId, type }: { userId: string; type: KycDocumentType },
  { kycTries, kycFilesPerTry }: { kycTries: number; kycFilesPerTry: number },
): Promise<boolean> {
  const counted = await execute(
    tx,
    `INSERT INTO kyc_document_tries AS t (user_id, type, tries, uploads) VALUES ($1, $2, 0, 1)
     ON CONFLICT ON CONSTRAINT kyc_document_tries_pkey DO UPDATE SET uploads = t.uploads + 1
      WHERE t.tries < $3 AND t.uploads < $4`,
    [userId, type, kycTries, kycFilesPerTry],
  );
  return counted === 1;
}

/** Gives a file back that was uploaded since the last submission, and that is no more. */
export async function uncountUpload(
  tx: Tx,
  { userId, type }: { userId: string; type: KycDocumentType },
): Promise<void> {
  await execute(
    tx,
    'UPDATE kyc_document_tries SET uploads = uploads - 1 WHERE user_id = $1 AND type = $2 AND uploads > 0',
    [userId, type],
  );
}

/** A document whose files are stored. */
export type NewDocument = Omit<Attributes<KycDocument>, 'uploadedAt'>;

/** Adds a document that this verification, which its user can change, holds. Claim its blobs in the same transaction. */
export async function insertDocument(tx: Tx, kycId: string, document: NewDocument, at: Date): Promise<void> {
  await table(tx, KycDocument).insert({ ...document, uploadedAt: at });
  await hold(tx, kycId, 'SELECT $2::uuid', [document.id]);
}

/** Makes a new verification hold the documents that an earlier one holds, unless they were rejected or removed there. */
export const carryDocumentsOver = (tx: Tx, kycId: string, earlierId: string): Promise<void> =>
  hold(
    tx,
    kycId,
    `SELECT document_id FROM kyc_verification_documents
      WHERE kyc_id = $2 AND status <> 'REJECTED' AND removed_at IS NULL`,
    [earlierId],
  );

async function hold(tx: Tx, kycId: string, documents: string, values: readonly unknown[]): Promise<void> {
  const sql = `INSERT INTO kyc_verification_documents (kyc_id, document_id)
    SELECT k.id, found.id FROM kyc_verifications k, (${documents}) AS found (id) WHERE k.id = $1 AND k.status IN (${EDITABLE})`;
  await execute(tx, sql, [kycId, ...values]);
}

/** The statuses of verifications that their users can change, as SQL. */
const EDITABLE = EDITABLE_STATUSES.map((status) => `'${status}'`).join(', ');

/** True of the verification `$1` while its user can change it. */
const IS_EDITABLE = `EXISTS (SELECT 1 FROM kyc_verifications k WHERE k.id = $1 AND k.status IN (${EDITABLE}))`;

/** The outcome of taking a document out of a verification; `blobs`: of the document, which is deleted; discard them. */
export type TakenDocument =
  { outcome: 'deleted'; blobs: DocumentBlobs } | { outcome: 'released' | 'removed' };

/**
 * Takes a document out of a verification that its user can change; null if that verification does not hold it. Submitted with
 * it, it is only marked as removed: reviewers have seen it. One that an earlier verification holds stays there. Any other
 * is deleted.
 */
export async function takeDocument(
  tx: Tx,
  kycId: string,
  documentId: string,
  at: Date,
): Promise<TakenDocument | null> {
  const removed = await execute(
    tx,
    `UPDATE kyc_verification_documents SET removed_at = $3
      WHERE kyc_id = $1 AND document_id = $2 AND submitted_at IS NOT NULL AND removed_at IS NULL AND ${IS_EDITABLE}`,
    [kycId, documentId, at],
  );
  if (removed === 1) return { outcome: 'removed' };
  const released = await execute(
    tx,
    `DELETE FROM kyc_verification_documents
      WHERE kyc_id = $1 AND document_id = $2 AND submitted_at IS NULL AND ${IS_EDITABLE}`,
    [kycId, documentId],
  );
  if (released === 0) return null;
  const blobs = await firstRow<DocumentBlobs>(
    tx,
    `DELETE FROM kyc_documents d
      WHERE d.id = $1 AND NOT EXISTS (SELECT 1 FROM kyc_verification_documents v WHERE v.document_id = d.id)
     RETURNING d.original_blob, d.file_blob, d.thumbnail_blob`,
    [documentId],
  );
  return blobs ? { outcome: 'deleted', blobs } : { outcome: 'released' };
}

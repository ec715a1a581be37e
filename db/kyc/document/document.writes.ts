import type { Attributes } from 'sequelize';
import type { KycDocumentType } from '../../../workflows/kyc/kyc.rules';
import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import type { DocumentBlobs } from './document-file';
import { KycDocument } from './kyc-document.model';
import { KycVerificationDocument } from './kyc-verification-document.model';

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
export type NewDocument = Omit<
  Attributes<KycDocument>,
  'status' | 'reason' | 'uploadedAt' | 'submittedAt' | 'removedAt'
>;

/** Adds a document that this verification holds. Claim its blobs in the same transaction. */
export async function insertDocument(tx: Tx, kycId: string, document: NewDocument, at: Date): Promise<void> {
  await table(tx, KycDocument).insert({
    ...document,
    ...{ reason: null, uploadedAt: at, submittedAt: null, removedAt: null },
  });
  await table(tx, KycVerificationDocument).insert({ kycId, documentId: document.id });
}

/** Deletes a document that was never submitted, and answers its blobs; null if this verification does not hold it. Discard the blobs. */
export const deleteDocument = (tx: Tx, kycId: string, documentId: string): Promise<DocumentBlobs | null> =>
  firstRow<DocumentBlobs>(
    tx,
    `DELETE FROM kyc_documents d
      WHERE d.id = $2 AND d.submitted_at IS NULL
        AND EXISTS (SELECT 1 FROM kyc_verification_documents v WHERE v.document_id = d.id AND v.kyc_id = $1)
     RETURNING d.original_blob, d.file_blob, d.thumbnail_blob`,
    [kycId, documentId],
  );

/**
 * Removes a document that was submitted from what its user shows; it stays as evidence. False if this verification does
 * not hold it.
 */
export const setDocumentAside = async (
  tx: Tx,
  kycId: string,
  documentId: string,
  at: Date,
): Promise<boolean> =>
  (await execute(
    tx,
    `UPDATE kyc_documents d SET removed_at = $3
      WHERE d.id = $2 AND d.submitted_at IS NOT NULL AND d.removed_at IS NULL
        AND EXISTS (SELECT 1 FROM kyc_verification_documents v WHERE v.document_id = d.id AND v.kyc_id = $1)`,
    [kycId, documentId, at],
  )) === 1;

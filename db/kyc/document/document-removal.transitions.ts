import { discardBlobs } from '../../blobs/discarded.writes';
import { rows, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { blobsOf, type DocumentBlobs } from './document-file';
import { KycDocumentTries } from './kyc-document-tries.model';

/**
 * Takes a verification's documents away from it; those that no other verification holds are deleted. Returns their blobs,
 * now discarded. Lock the user first.
 */
export async function releaseDocuments(tx: Tx, kycId: string): Promise<string[]> {
  const released = await rows<{ id: string }>(
    tx,
    'DELETE FROM kyc_verification_documents WHERE kyc_id = $1 RETURNING document_id AS id',
    [kycId],
  );
  return discarded(
    tx,
    await rows<DocumentBlobs>(
      tx,
      `DELETE FROM kyc_documents d WHERE id = ANY ($1::uuid[])
          AND NOT EXISTS (SELECT 1 FROM kyc_verification_documents v WHERE v.document_id = d.id)
        RETURNING original_blob, file_blob, thumbnail_blob`,
      [released.map(({ id }) => id)],
    ),
  );
}

/** Deletes all documents of a locked user, with their links; returns their blobs, now discarded. */
export async function removeDocuments(tx: Tx, userId: string): Promise<string[]> {
  return discarded(
    tx,
    await rows<DocumentBlobs>(
      tx,
      'DELETE FROM kyc_documents WHERE user_id = $1 RETURNING original_blob, file_blob, thumbnail_blob',
      [userId],
    ),
  );
}

/** Begins to count the files of a user anew; the tries stay counted. */
export async function forgetUploads(tx: Tx, userId: string): Promise<void> {
  await table(tx, KycDocumentTries).update({ uploads: 0 }, { userId });
}

/** Deletes the counts of a locked user's tries. */
export async function removeTries(tx: Tx, userId: string): Promise<void> {
  await table(tx, KycDocumentTries).remove({ userId });
}

async function discarded(tx: Tx, removed: readonly DocumentBlobs[]): Promise<string[]> {
  const names = removed.flatMap(blobsOf);
  if (names.length > 0) await discardBlobs(tx, names);
  return names;
}

import { discardBlobs } from '../../../../db/blobs/discarded.writes';
import { blobsOf } from '../../../../db/kyc/document/document-file';
import { deleteDocument, setDocumentAside, uncountUpload } from '../../../../db/kyc/document/document.writes';
import { addKycEvent } from '../../../../db/kyc/history/history.writes';
import { lockUserStanding } from '../../../../db/kyc/standing/user-standing.writes';
import { latestVerification } from '../../../../db/kyc/verification/verification.reads';
import type { Db, Tx } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { requireEditable } from '../own-verification';
import { noSuchDocument, requireOwnDocument } from './own-document';

/**
 * Takes a document out of the verification that its user can still change; answers the blobs to remove after the commit.
 * One that was submitted is evidence: reviewers keep it. Refuses with DOCUMENT_NOT_FOUND and
 * NOT_EDITABLE.
 */
export function removeDocument(db: Db, userId: string, documentId: string): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    await lockUserStanding(tx, userId);
    const at = new Date();
    const document = await requireOwnDocument(tx, userId, documentId);
    const { id: kycId } = requireEditable(await latestVerification(tx, userId));
    const blobs: string[] = [];
    // One that only an earlier verification holds is not found: it is what was decided on.
    if (document.submittedAt === null) {
      blobs.push(...(await deleteNew(tx, kycId, documentId)));
      // Chosen: a file that no submission had costs nothing once it is deleted.
      await uncountUpload(tx, document);
    } else if (!(await setDocumentAside(tx, kycId, documentId, at))) throw noSuchDocument();
    await addKycEvent(tx, { kycId, action: 'DOCUMENT_DELETED', performedBy: userId, note: null, at });
    return blobs;
  });
}

async function deleteNew(tx: Tx, kycId: string, documentId: string): Promise<string[]> {
  const deleted = await deleteDocument(tx, kycId, documentId);
  if (!deleted) throw noSuchDocument();
  const blobs = blobsOf(deleted);
  await discardBlobs(tx, blobs);
  return blobs;
}

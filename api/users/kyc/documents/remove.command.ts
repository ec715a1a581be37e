import { discardBlobs } from '../../../../db/blobs/discarded.writes';
import { blobsOf } from '../../../../db/kyc/document/document-file';
import { takeDocument, uncountUpload } from '../../../../db/kyc/document/document.writes';
import { addKycEvent } from '../../../../db/kyc/history/history.writes';
import { lockUserStanding } from '../../../../db/kyc/standing/user-standing.writes';
import { latestVerification } from '../../../../db/kyc/verification/verification.reads';
import type { Db } from '../../../../db/sql/query';
import { inTransaction } from '../../../../db/sql/transaction';
import { requireEditable } from '../own-verification';
import { noSuchDocument, requireOwnDocument } from './own-document';

/**
 * Takes a document out of the verification that its user can still change; returns the blobs to remove after the commit.
 * One that was submitted is evidence: reviewers keep it. Refuses with DOCUMENT_NOT_FOUND and
 * NOT_EDITABLE.
 */
export function removeDocument(db: Db, userId: string, documentId: string): Promise<string[]> {
  return inTransaction(db, async (tx) => {
    await lockUserStanding(tx, userId);
    const at = new Date();
    const document = await requireOwnDocument(tx, userId, documentId);
    const { id: kycId } = requireEditable(await latestVerification(tx, userId));
    // One that only an earlier verification holds is not found: it is what was decided on.
    const taken = await takeDocument(tx, kycId, documentId, at);
    if (!taken) throw noSuchDocument();
    await addKycEvent(tx, { kycId, action: 'DOCUMENT_DELETED', performedBy: userId, note: null, at });
    if (taken.outcome !== 'deleted') return [];
    // Chosen: a file that no submission had costs nothing once it is deleted.
    await uncountUpload(tx, document);
    const blobs = blobsOf(taken.blobs);
    await discardBlobs(tx, blobs);
    return blobs;
  });
}

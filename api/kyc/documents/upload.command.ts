import { claimBlobs } from '../../../db/blobs/discarded.writes';
import { ownDocument, triesWith, type DocumentRow } from '../../../db/kyc/document/document.reads';
import { countUpload, insertDocument, type NewDocument } from '../../../db/kyc/document/document.writes';
import { addKycEvent } from '../../../db/kyc/history/history.writes';
import { lockUserStanding } from '../../../db/kyc/standing/user-standing.writes';
import { latestVerification } from '../../../db/kyc/verification/verification.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type { KycDocumentType } from '../../../workflows/kyc/kyc.rules';
import { isEditable, isUsedUp } from '../../../workflows/kyc/submission.rules';
import { accountGone } from '../../users/own-account';
import { requireEditable } from '../../users/kyc/own-verification';

type Tries = Pick<Policy, 'kycTries' | 'kycFilesPerTry'>;

const noTriesLeft = () =>
  refusal('MAX_ATTEMPTS', 'No more documents of this type can be uploaded. Contact support.');

/** Refuses with MAX_ATTEMPTS, and with VALIDATION_ERROR: KYC_IN_REVIEW, KYC_NOT_STARTED. Locks nothing. */
export async function requireUploadable(
  db: Db,
  { userId, type }: { userId: string; type: KycDocumentType },
  policy: Tries,
): Promise<void> {
  requireEditable(await latestVerification(db, userId));
  const [tries] = await triesWith(db, userId, [type]);
  if (tries && isUsedUp(tries, policy)) throw noTriesLeft();
}

/**
 * Counts a file as uploaded that took too much time or memory to read, so that nobody can send such files without end.
 * Nothing is counted where nothing can be uploaded any more.
 */
export function countTooHard(
  db: Db,
  { userId, type }: { userId: string; type: KycDocumentType },
  policy: Tries,
): Promise<void> {
  return inTransaction(db, async (tx) => {
    const user = await lockUserStanding(tx, userId);
    const latest = await latestVerification(tx, userId);
    if (user && !user.erasedAt && latest && isEditable(latest.status))
      await countUpload(tx, { userId, type }, policy);
  });
}

/** Adds a document, whose files are stored, to its user's verification; refuses as `requireUploadable` does. */
export function addDocument(db: Db, document: NewDocument, policy: Tries): Promise<DocumentRow> {
  const { id, userId, fileBlob, thumbnailBlob } = document;
  return inTransaction(db, async (tx) => {
    const user = await lockUserStanding(tx, userId);
    if (!user || user.erasedAt) throw accountGone();
    const { id: kycId } = requireEditable(await latestVerification(tx, userId));
    if (!(await countUpload(tx, document, policy))) throw noTriesLeft();
    const at = new Date();
    await insertDocument(tx, kycId, document, at);
    await claimBlobs(
      tx,
      [fileBlob, thumbnailBlob].filter((name) => name !== null),
    );
    await addKycEvent(tx, { kycId, action: 'DOCUMENT_UPLOADED', performedBy: userId, note: null, at });
    const added = await ownDocument(tx, userId, id);
    if (!added) throw new Error(`The document ${id} was not added.`);
    return added;
  });
}

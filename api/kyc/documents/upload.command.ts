import type { z } from 'zod';
import { claimBlobs } from '../../../db/blobs/discarded.writes';
import { blobsOf } from '../../../db/kyc/document/document-file';
import { documentsOf, triesWith } from '../../../db/kyc/document/document.reads';
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
import type { Context } from '../../http/handler-context';
import { documentView, type KycDocumentView } from '../../users/kyc/documents/document.view';
import { accountGone } from '../../users/own-account';
import { requireEditable, resubmissionNotAllowed } from '../../users/kyc/own-verification';
import { editableDraft, type Opens } from '../../users/kyc/start.command';

type Tries = Pick<Policy, 'kycTries' | 'kycFilesPerTry'>;

const noTriesLeft = () => refusal('MAX_ATTEMPTS');

/** Refuses with MAX_ATTEMPTS, NOT_EDITABLE and VALIDATION_ERROR (RESUBMISSION_NOT_ALLOWED). Locks nothing. */
export async function requireUploadable(
  db: Db,
  { userId, type }: { userId: string; type: KycDocumentType },
  policy: Tries,
): Promise<void> {
  const latest = await latestVerification(db, userId);
  if (latest?.status !== 'REJECTED') requireEditable(latest);
  else if (!latest.canResubmit) throw resubmissionNotAllowed();
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
    if (
      user &&
      !user.erasedAt &&
      latest &&
      (isEditable(latest.status) || (latest.status === 'REJECTED' && latest.canResubmit))
    )
      await countUpload(tx, { userId, type }, policy);
  });
}

/**
 * Adds a document, whose files are stored, to the verification that its user can change, which begins after a rejection; with
 * the answer to a keyed request, so that a repetition adds no other. Refuses as `requireUploadable` and `editableDraft` do.
 */
export function addDocument(
  {
    conclude,
    db,
    identity,
    policy,
    opens,
  }: Pick<Context, 'conclude' | 'db' | 'identity' | 'policy'> & { opens: Opens },
  document: NewDocument,
): Promise<z.output<typeof KycDocumentView>> {
  const { id, userId } = document;
  return inTransaction(db, async (tx) => {
    const user = await lockUserStanding(tx, userId);
    if (!user || user.erasedAt) throw accountGone();
    const at = new Date();
    const kycId = await editableDraft(tx, userId, { keys: identity.sealing, opens, at });
    if (!(await countUpload(tx, document, policy))) throw noTriesLeft();
    await insertDocument(tx, kycId, document, at);
    await claimBlobs(tx, blobsOf(document));
    await addKycEvent(tx, { kycId, action: 'DOCUMENT_UPLOADED', performedBy: userId, note: null, at });
    const added = (await documentsOf(tx, kycId)).find((one) => one.id === id);
    if (!added) throw new Error(`The document ${id} was not added.`);
    const view = documentView(added);
    await conclude(tx, view);
    return view;
  });
}

import { audited } from '../../../db/administration/audit/audit.writes';
import type { Verification } from '../../../db/kyc/verification/verification.reads';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { Actor } from '../actor';

/** A document's file or thumbnail that is opened. */
interface OpenedFile {
  documentId: string;
  part: 'file' | 'thumbnail';
}

/**
 * Records that an administrator opens a verification as it is after the submission at `submittedAt`, or a file of it. Call
 * it before anything is shown. Who decides later must have opened the submission of that time.
 */
export const recordOpening = (
  db: Db,
  { id, userId, submittedAt }: Pick<Verification, 'id' | 'userId' | 'submittedAt'>,
  by: Actor,
  file?: OpenedFile,
): Promise<void> =>
  inTransaction(db, (tx) =>
    audited(tx, by, file ? 'kyc.open-file' : 'kyc.open', id, null, {
      userId,
      ...(file ?? { submittedAt: submittedAt?.toISOString() ?? null }),
    }),
  );

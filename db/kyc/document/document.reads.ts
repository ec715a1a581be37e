import type { Attributes } from 'sequelize';
import type { KycDocumentType } from '../../../workflows/kyc/kyc.rules';
import type { DocumentTries } from '../../../workflows/kyc/submission.rules';
import { rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { KycDocument } from './kyc-document.model';
import { KycDocumentTries } from './kyc-document-tries.model';

/** A document without its bytes and keys. */
export type DocumentRow = Pick<
  Attributes<KycDocument>,
  | 'id'
  | 'userId'
  | 'type'
  | 'status'
  | 'reason'
  | 'contentType'
  | 'bytes'
  | 'thumbnailBlob'
  | 'uploadedAt'
  | 'submittedAt'
>;

/** The documents that a verification holds and that its user has not removed, oldest first. */
export const documentsOf = (db: Db, kycId: string): Promise<DocumentRow[]> =>
  rows(
    db,
    `SELECT d.id, d.user_id, d.type, d.status, d.reason, d.content_type, d.bytes, d.thumbnail_blob, d.uploaded_at,
            d.submitted_at
       FROM kyc_documents d JOIN kyc_verification_documents v ON v.document_id = d.id
      WHERE v.kyc_id = $1 AND d.removed_at IS NULL ORDER BY d.uploaded_at, d.id`,
    [kycId],
  );

const DOCUMENT_COLUMNS = [
  'id',
  'userId',
  'type',
  'status',
  'reason',
  'contentType',
  'bytes',
  'thumbnailBlob',
  'uploadedAt',
  'submittedAt',
] as const satisfies readonly (keyof DocumentRow)[];

/** A document of this user with the columns by which its files are opened, or null; also null if they removed it. */
export const ownDocumentFile = (
  db: Db,
  userId: string,
  id: string,
): Promise<Pick<Attributes<KycDocument>, (typeof FILE_COLUMNS)[number]> | null> =>
  table(db, KycDocument).one(FILE_COLUMNS, { id, userId, removedAt: null });

const FILE_COLUMNS = [
  ...(['id', 'userId', 'type', 'contentType'] as const),
  ...(['nameSealed', 'dataKey', 'originalBlob', 'fileBlob', 'thumbnailBlob'] as const),
] as const;

/** A document of this user, or null; also null if they removed it. */
export const ownDocument = (db: Db, userId: string, id: string): Promise<DocumentRow | null> =>
  table(db, KycDocument).one(DOCUMENT_COLUMNS, { id, userId, removedAt: null });

/** A user's tries with documents of these types. */
export const triesWith = (
  db: Db,
  userId: string,
  types: readonly KycDocumentType[],
): Promise<DocumentTries[]> =>
  table(db, KycDocumentTries).all(['type', 'tries', 'uploads'], { userId, type: types });

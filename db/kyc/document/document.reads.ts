import type { Attributes } from 'sequelize';
import type { KycDocumentType } from '../../../workflows/kyc/kyc.rules';
import type { DocumentTries } from '../../../workflows/kyc/submission.rules';
import { firstRow, rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import type { DocumentBlobs } from './document-file';
import type { KycDocument } from './kyc-document.model';
import type { KycVerificationDocument } from './kyc-verification-document.model';
import { KycDocumentTries } from './kyc-document-tries.model';

/** A document without its bytes and keys, as a verification holds it. */
export type DocumentRow = Pick<
  Attributes<KycDocument>,
  'id' | 'userId' | 'type' | 'contentType' | 'bytes' | 'thumbnailBlob' | 'uploadedAt'
> &
  Pick<Attributes<KycVerificationDocument>, 'status' | 'reason' | 'submittedAt'>;

/** The documents that a verification holds and that its user has not removed, oldest first. */
export const documentsOf = (db: Db, kycId: string): Promise<DocumentRow[]> =>
  rows(
    db,
    `SELECT d.id, d.user_id, d.type, v.status, v.reason, d.content_type, d.bytes, d.thumbnail_blob, d.uploaded_at,
            v.submitted_at
       FROM kyc_documents d JOIN kyc_verification_documents v ON v.document_id = d.id
      WHERE v.kyc_id = $1 AND v.removed_at IS NULL ORDER BY d.uploaded_at, d.id`,
    [kycId],
  );

/** A document with the columns by which its files are opened. */
export type OwnDocument = Pick<
  Attributes<KycDocument>,
  'id' | 'userId' | 'type' | 'contentType' | 'nameSealed' | 'dataKey' | keyof DocumentBlobs
>;

/** A document of this user, or null; also null if they removed it from every verification that holds it. */
export const ownDocument = (db: Db, userId: string, id: string): Promise<OwnDocument | null> =>
  firstRow(
    db,
    `SELECT d.id, d.user_id, d.type, d.content_type, d.name_sealed, d.data_key, d.original_blob, d.file_blob,
            d.thumbnail_blob
       FROM kyc_documents d
      WHERE d.id = $1 AND d.user_id = $2
        AND EXISTS (SELECT 1 FROM kyc_verification_documents v WHERE v.document_id = d.id AND v.removed_at IS NULL)`,
    [id, userId],
  );

/** A user's tries with documents of these types. */
export const triesWith = (
  db: Db,
  userId: string,
  types: readonly KycDocumentType[],
): Promise<DocumentTries[]> =>
  table(db, KycDocumentTries).all(['type', 'tries', 'uploads'], { userId, type: types });

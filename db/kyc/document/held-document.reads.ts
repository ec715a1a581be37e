import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { KycDocument } from './kyc-document.model';
import type { KycVerificationDocument } from './kyc-verification-document.model';

/** A document with the columns by which its files are found, opened and compared, as a verification holds it. */
export type HeldDocument = Attributes<KycDocument> &
  Pick<Attributes<KycVerificationDocument>, 'status' | 'reason' | 'submittedAt' | 'removedAt'> & {
    /** Its place among the documents of its type that the verification holds, from 1. */
    number: number;
  };

/** With a place for each: `kyc_verification_documents` of one verification, oldest first. */
const HELD = `SELECT d.*, v.status, v.reason, v.submitted_at, v.removed_at,
    row_number() OVER (PARTITION BY d.type ORDER BY d.uploaded_at, d.id)::int AS number
  FROM kyc_documents d JOIN kyc_verification_documents v ON v.document_id = d.id WHERE v.kyc_id = $1`;

/** The documents that a verification holds, also those that its user removed after a submission; oldest first. */
export const heldDocuments = (db: Db, kycId: string): Promise<HeldDocument[]> =>
  rows(db, `${HELD} ORDER BY d.uploaded_at, d.id`, [kycId]);

/** A document that this verification holds, or null. */
export const heldDocument = (db: Db, kycId: string, documentId: string): Promise<HeldDocument | null> =>
  firstRow(db, `SELECT * FROM (${HELD}) AS held WHERE held.id = $2`, [kycId, documentId]);

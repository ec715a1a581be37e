import { rows, type Db } from '../../sql/query';
import type { Verification } from '../verification/verification.reads';

/** A verification whose documents and personal data are no longer kept. */
export type ExpiredVerification = Pick<Verification, 'id' | 'userId'>;

/** Verifications that were begun, and neither submitted nor changed since `before`. */
export const abandonedVerifications = (db: Db, before: Date, limit: number): Promise<ExpiredVerification[]> =>
  rows(
    db,
    `SELECT v.id, v.user_id FROM kyc_verifications v WHERE ${IS_ABANDONED} ORDER BY v.updated_at, v.id LIMIT $2`,
    [before, limit],
  );

/** Tells whether a verification is abandoned, as `abandonedVerifications` does. */
export const isAbandoned = async (db: Db, id: string, before: Date): Promise<boolean> =>
  (await rows(db, `SELECT 1 FROM kyc_verifications v WHERE ${IS_ABANDONED} AND v.id = $2`, [before, id]))
    .length > 0;

/** An upload, or its deletion, is a change too; the history has both. */
const IS_ABANDONED = `v.status = 'DOCUMENTS_PENDING' AND v.updated_at < $1
  AND NOT EXISTS (SELECT 1 FROM kyc_history h WHERE h.kyc_id = v.id AND h.at >= $1)
  AND NOT EXISTS (SELECT 1 FROM kyc_verification_documents l JOIN kyc_documents d ON d.id = l.document_id
                   WHERE l.kyc_id = v.id AND d.uploaded_at >= $1)`;

/**
 * Verifications that were over before `before` and still have documents, personal data or codes, the oldest first. An
 * approval at BASIC, which never ends, is over when it is decided.
 */
export const verificationsPastRecord = (
  db: Db,
  before: Date,
  limit: number,
): Promise<ExpiredVerification[]> =>
  rows(
    db,
    `SELECT v.id, v.user_id FROM kyc_verifications v
      WHERE (v.status IN ('REJECTED', 'EXPIRED', 'SUPERSEDED') OR v.status = 'APPROVED' AND v.level = 'BASIC')
        AND coalesce(v.ended_at, v.decided_at) < $1
        AND (v.personal_info IS NOT NULL
             OR EXISTS (SELECT 1 FROM kyc_document_numbers n WHERE n.kyc_id = v.id)
             OR EXISTS (SELECT 1 FROM kyc_verification_documents l WHERE l.kyc_id = v.id))
      ORDER BY coalesce(v.ended_at, v.decided_at), v.id LIMIT $2`,
    [before, limit],
  );

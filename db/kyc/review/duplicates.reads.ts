import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import type { User } from '../../identity/user/user.model';
import type { KycVerification } from '../verification/kyc-verification.model';

/** The same document number or file under another account. */
export type Duplicate = Pick<Attributes<KycVerification>, 'userId' | 'status'> & {
  kind: 'DOCUMENT_NUMBER' | 'FILE';
  kycId: string;
  /** Null: the account is erased. */
  email: string | null;
  /** When that verification began, or that file was uploaded. */
  at: Date;
};

/** The codes of one verification, each under every key of the ring, and where to compare them. */
export interface Fingerprints {
  userId: string;
  region: Attributes<User>['region'];
  numberMacs: readonly string[];
  contentMacs: readonly string[];
}

const MOST_DUPLICATES = 20;

/**
 * The newest duplicate of each kind in every other account of the region; at most 20, newest first. Of an erased account
 * there are only codes of numbers that were rejected for fraud.
 */
export const duplicatesOf = (
  db: Db,
  { userId, region, numberMacs, contentMacs }: Fingerprints,
): Promise<Duplicate[]> =>
  rows<Duplicate>(
    db,
    `SELECT * FROM (
       SELECT DISTINCT ON (found.kind, found.user_id) found.*,
              CASE WHEN u.erased_at IS NULL THEN u.email END AS email
         FROM (
           SELECT 'DOCUMENT_NUMBER' AS kind, v.id AS kyc_id, v.user_id, v.status, v.created_at AS at
             FROM kyc_verifications v WHERE v.document_number_mac = ANY ($3::text[])
           UNION ALL
           SELECT 'DOCUMENT_NUMBER', v.id, v.user_id, v.status, v.created_at
             FROM kyc_document_numbers n JOIN kyc_verifications v ON v.id = n.kyc_id
            WHERE n.number_mac = ANY ($3::text[])
           UNION ALL
           SELECT 'FILE', v.id, v.user_id, v.status, d.uploaded_at
             FROM kyc_documents d JOIN kyc_verification_documents held ON held.document_id = d.id
             JOIN kyc_verifications v ON v.id = held.kyc_id
            WHERE d.content_mac = ANY ($4::text[])
         ) found JOIN users u ON u.id = found.user_id
        WHERE found.user_id <> $1 AND u.region = $2
        ORDER BY found.kind, found.user_id, found.at DESC, found.kyc_id DESC
     ) AS newest ORDER BY at DESC, kind, kyc_id LIMIT ${MOST_DUPLICATES}`,
    [userId, region, numberMacs, contentMacs],
  );

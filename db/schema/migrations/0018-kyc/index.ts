import type { QueryInterface } from 'sequelize';
import { DOCUMENTS } from './documents';
import { PROVIDERS } from './providers';
import { VERIFICATIONS } from './verifications';

/**
 * Identity verification: what a user submits, its documents, and what reviewers decide. Personal data is sealed; keyed
 * codes find the same document number or file under another account.
 */
export async function up(query: QueryInterface): Promise<void> {
  for (const part of [VERIFICATIONS, DOCUMENTS, PROVIDERS]) await query.sequelize.query(part);
}

/**
 * The levels that were approved end with their verifications, and the files of the documents are listed to be deleted.
 */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    UPDATE users SET kyc_status = 'NOT_STARTED', updated_at = now(),
        kyc_level = CASE WHEN kyc_level IN ('STANDARD', 'ENHANCED') THEN 'BASIC' ELSE kyc_level END
      WHERE id IN (SELECT user_id FROM kyc_verifications);
    INSERT INTO discarded_blobs (name, discarded_at)
      SELECT file_blob, now() FROM kyc_documents
      UNION SELECT original_blob, now() FROM kyc_documents WHERE original_blob IS NOT NULL
      UNION SELECT thumbnail_blob, now() FROM kyc_documents WHERE thumbnail_blob IS NOT NULL
      ON CONFLICT (name) DO NOTHING;
    DELETE FROM domain_events WHERE type LIKE 'kyc.%';
    DROP TABLE kyc_syncs, kyc_pushes, kyc_provider_reports, kyc_document_tries, kyc_document_numbers,
      kyc_verification_documents, kyc_documents, kyc_history, kyc_verifications;
  `);
}

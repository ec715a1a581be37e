import type { QueryInterface } from 'sequelize';

/**
 * Identity verification: what a user submits, its documents, and what reviewers decide. Personal data is sealed; keyed
 * codes find the same document number or file under another account.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    -- First, since it reads the notes, and the tables below lock users. Programs of the last release insert without it.
    ALTER TABLE request_notes ADD COLUMN entity_id uuid;
    CREATE INDEX request_notes_entity_idx ON request_notes (entity_id) WHERE entity_id IS NOT NULL;

    CREATE TABLE kyc_verifications (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT kyc_verifications_user_fkey REFERENCES users (id),
      status text NOT NULL CONSTRAINT kyc_verifications_status_check CHECK (status IN ('DOCUMENTS_PENDING', 'SUBMITTED',
        'UNDER_REVIEW', 'NEEDS_INFO', 'APPROVED', 'REJECTED', 'EXPIRED', 'SUPERSEDED', 'WITHDRAWN')),
      requested_level text NOT NULL
        CONSTRAINT kyc_verifications_requested_level_check CHECK (requested_level IN ('STANDARD', 'ENHANCED')),
      level text CONSTRAINT kyc_verifications_level_check CHECK (level IN ('BASIC', 'STANDARD', 'ENHANCED')),
      personal_info bytea,
      document_number_mac text,
      document_number_key text,
      priority text NOT NULL DEFAULT 'NORMAL'
        CONSTRAINT kyc_verifications_priority_check CHECK (priority IN ('HIGH', 'NORMAL', 'LOW')),
      submission_id uuid,
      first_submitted_at timestamptz,
      submitted_at timestamptz,
      due_at timestamptz,
      escalated_at timestamptz,
      reminded_at timestamptz,
      assigned_to uuid CONSTRAINT kyc_verifications_assigned_fkey REFERENCES users (id),
      claimed_at timestamptz,
      claim_lapses_at timestamptz,
      requested_message bytea,
      requested_documents text[],
      decided_at timestamptz,
      decided_by uuid CONSTRAINT kyc_verifications_decided_by_fkey REFERENCES users (id),
      rejection_reason text CONSTRAINT kyc_verifications_rejection_reason_check CHECK (rejection_reason IN
        ('DOCUMENT_BLURRY', 'DOCUMENT_EXPIRED', 'SELFIE_MISMATCH', 'INFO_MISMATCH', 'SUSPECTED_FRAUD',
         'INFO_NOT_PROVIDED')),
      can_resubmit boolean NOT NULL DEFAULT true,
      is_fraud boolean NOT NULL DEFAULT false,
      expires_at timestamptz,
      notice_sent_at timestamptz,
      ended_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT kyc_verifications_number_check CHECK ((document_number_mac IS NULL) = (document_number_key IS NULL)),
      CONSTRAINT kyc_verifications_claim_check CHECK ((status = 'UNDER_REVIEW') = (assigned_to IS NOT NULL)
        AND num_nulls(assigned_to, claimed_at, claim_lapses_at) IN (0, 3)),
      CONSTRAINT kyc_verifications_submitted_check
        CHECK (status IN ('DOCUMENTS_PENDING', 'WITHDRAWN') OR submitted_at IS NOT NULL),
      CONSTRAINT kyc_verifications_due_check
        CHECK ((status IN ('SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO')) = (due_at IS NOT NULL)),
      CONSTRAINT kyc_verifications_approved_check
        CHECK (status NOT IN ('APPROVED', 'SUPERSEDED') OR (level IS NOT NULL AND decided_at IS NOT NULL)),
      CONSTRAINT kyc_verifications_level_expiry_check
        CHECK (status <> 'APPROVED' OR level = 'BASIC' OR expires_at IS NOT NULL),
      CONSTRAINT kyc_verifications_rejected_check
        CHECK ((status = 'REJECTED') <= (rejection_reason IS NOT NULL AND decided_at IS NOT NULL)),
      CONSTRAINT kyc_verifications_fraud_check
        CHECK (rejection_reason IS DISTINCT FROM 'SUSPECTED_FRAUD' AND NOT is_fraud OR NOT can_resubmit)
    );
    -- Two requests at once cannot both start a verification, nor two decisions leave two approvals of one level in force. The
    -- user has the highest; an approval of a lower level takes nothing away.
    CREATE UNIQUE INDEX kyc_verifications_one_open_key ON kyc_verifications (user_id)
      WHERE status IN ('DOCUMENTS_PENDING', 'SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO');
    CREATE UNIQUE INDEX kyc_verifications_one_approved_key ON kyc_verifications (user_id, level)
      WHERE status = 'APPROVED';
    CREATE INDEX kyc_verifications_user_idx ON kyc_verifications (user_id, created_at DESC);
    CREATE INDEX kyc_verifications_queue_idx ON kyc_verifications (submitted_at, id)
      WHERE status IN ('SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO');
    -- The urgency as the queue orders by it; what the statistics count is read from the index alone.
    CREATE INDEX kyc_verifications_urgency_idx ON kyc_verifications
      ((array_position(ARRAY['LOW', 'NORMAL', 'HIGH'], priority)) DESC, submitted_at, id)
      INCLUDE (status, priority, assigned_to) WHERE status IN ('SUBMITTED', 'UNDER_REVIEW', 'NEEDS_INFO');
    CREATE INDEX kyc_verifications_assigned_idx ON kyc_verifications (assigned_to) WHERE assigned_to IS NOT NULL;
    CREATE INDEX kyc_verifications_expiry_idx ON kyc_verifications (expires_at, id) WHERE status = 'APPROVED';
    CREATE INDEX kyc_verifications_number_idx ON kyc_verifications (document_number_mac)
      WHERE document_number_mac IS NOT NULL;
    CREATE INDEX kyc_verifications_decided_idx ON kyc_verifications (decided_at)
      INCLUDE (first_submitted_at, rejection_reason)
      WHERE decided_at IS NOT NULL;

    CREATE TABLE kyc_documents (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT kyc_documents_user_fkey REFERENCES users (id),
      type text NOT NULL CONSTRAINT kyc_documents_type_check CHECK (type IN
        ('PASSPORT', 'NATIONAL_ID', 'DRIVERS_LICENCE', 'SELFIE', 'ADDRESS_PROOF', 'INCOME_PROOF')),
      content_type text NOT NULL
        CONSTRAINT kyc_documents_content_type_check CHECK (content_type IN ('image/jpeg', 'image/png', 'application/pdf')),
      name_sealed bytea NOT NULL,
      bytes integer NOT NULL CONSTRAINT kyc_documents_bytes_check CHECK (bytes > 0),
      -- A picture is drawn anew for reviewers; a PDF is shown to them as it came.
      original_blob text CONSTRAINT kyc_documents_original_key UNIQUE,
      file_blob text NOT NULL CONSTRAINT kyc_documents_file_key UNIQUE,
      file_content_type text NOT NULL CONSTRAINT kyc_documents_file_content_type_check
        CHECK (file_content_type IN ('image/jpeg', 'image/png', 'application/pdf')),
      thumbnail_blob text CONSTRAINT kyc_documents_thumbnail_key UNIQUE,
      data_key bytea NOT NULL,
      content_mac text NOT NULL,
      content_key text NOT NULL,
      uploaded_at timestamptz NOT NULL
    );
    CREATE INDEX kyc_documents_user_idx ON kyc_documents (user_id, uploaded_at);
    CREATE INDEX kyc_documents_content_idx ON kyc_documents (content_mac);

    -- What was decided about a document, in each verification that holds it anew.
    CREATE TABLE kyc_verification_documents (
      kyc_id uuid NOT NULL CONSTRAINT kyc_verification_documents_kyc_fkey REFERENCES kyc_verifications (id),
      document_id uuid NOT NULL
        CONSTRAINT kyc_verification_documents_document_fkey REFERENCES kyc_documents (id) ON DELETE CASCADE,
      status text NOT NULL DEFAULT 'UPLOADED'
        CONSTRAINT kyc_verification_documents_status_check CHECK (status IN ('UPLOADED', 'ACCEPTED', 'REJECTED')),
      reason text CONSTRAINT kyc_verification_documents_reason_check CHECK (reason IN
        ('DOCUMENT_BLURRY', 'DOCUMENT_EXPIRED', 'SELFIE_MISMATCH', 'INFO_MISMATCH', 'SUSPECTED_FRAUD')),
      submitted_at timestamptz,
      removed_at timestamptz,
      CONSTRAINT kyc_verification_documents_pkey PRIMARY KEY (kyc_id, document_id),
      -- What reviewers have seen is not deleted; what they have not is.
      CONSTRAINT kyc_verification_documents_removed_check CHECK (removed_at IS NULL OR submitted_at IS NOT NULL),
      CONSTRAINT kyc_verification_documents_reason_status_check CHECK (reason IS NULL OR status = 'REJECTED')
    );
    CREATE INDEX kyc_verification_documents_document_idx ON kyc_verification_documents (document_id);

    -- The numbers that were submitted, also those that their user replaced later.
    CREATE TABLE kyc_document_numbers (
      id uuid PRIMARY KEY,
      kyc_id uuid NOT NULL CONSTRAINT kyc_document_numbers_kyc_fkey REFERENCES kyc_verifications (id),
      number_sealed bytea,
      number_mac text NOT NULL,
      number_key text NOT NULL,
      submitted_at timestamptz NOT NULL
    );
    CREATE INDEX kyc_document_numbers_kyc_idx ON kyc_document_numbers (kyc_id);
    CREATE INDEX kyc_document_numbers_mac_idx ON kyc_document_numbers (number_mac);

    CREATE TABLE kyc_document_tries (
      user_id uuid NOT NULL CONSTRAINT kyc_document_tries_user_fkey REFERENCES users (id),
      type text NOT NULL CONSTRAINT kyc_document_tries_type_check CHECK (type IN
        ('PASSPORT', 'NATIONAL_ID', 'DRIVERS_LICENCE', 'SELFIE', 'ADDRESS_PROOF', 'INCOME_PROOF')),
      tries integer NOT NULL DEFAULT 0 CONSTRAINT kyc_document_tries_tries_check CHECK (tries >= 0),
      uploads integer NOT NULL DEFAULT 0 CONSTRAINT kyc_document_tries_uploads_check CHECK (uploads >= 0),
      CONSTRAINT kyc_document_tries_pkey PRIMARY KEY (user_id, type)
    );

    CREATE TABLE kyc_history (
      id uuid PRIMARY KEY,
      kyc_id uuid NOT NULL CONSTRAINT kyc_history_kyc_fkey REFERENCES kyc_verifications (id),
      action text NOT NULL,
      performed_by uuid CONSTRAINT kyc_history_performed_by_fkey REFERENCES users (id),
      note bytea,
      at timestamptz NOT NULL
    );
    CREATE INDEX kyc_history_kyc_idx ON kyc_history (kyc_id, at, id);

    -- NOT VALID: the events there are satisfied the narrower rule. Reading them all would hold the locks on users that the
    -- foreign keys above take, and nobody could register or be changed meanwhile.
    ALTER TABLE domain_events DROP CONSTRAINT domain_events_type_check, ADD CONSTRAINT domain_events_type_check
      CHECK (type IN ('order.paid', 'refund.completed', 'kyc.submitted', 'kyc.approved', 'kyc.rejected', 'kyc.expired'))
      NOT VALID;
  `);
}

/** The levels that were approved end with their verifications, and the files of the documents are listed to be deleted. */
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
    ALTER TABLE domain_events DROP CONSTRAINT domain_events_type_check, ADD CONSTRAINT domain_events_type_check
      CHECK (type IN ('order.paid', 'refund.completed'));
    ALTER TABLE request_notes DROP COLUMN entity_id;
    DROP TABLE kyc_history;
    DROP TABLE kyc_document_tries;
    DROP TABLE kyc_document_numbers;
    DROP TABLE kyc_verification_documents;
    DROP TABLE kyc_documents;
    DROP TABLE kyc_verifications;
  `);
}

/** Documents with their files, and the numbers of documents. */
export const DOCUMENTS = `
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
`;

/** Verifications and what reviewers decide. */
export const VERIFICATIONS = `
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

  CREATE TABLE kyc_history (
    id uuid PRIMARY KEY,
    kyc_id uuid NOT NULL CONSTRAINT kyc_history_kyc_fkey REFERENCES kyc_verifications (id),
    action text NOT NULL,
    performed_by uuid CONSTRAINT kyc_history_performed_by_fkey REFERENCES users (id),
    note bytea,
    at timestamptz NOT NULL
  );
  CREATE INDEX kyc_history_kyc_idx ON kyc_history (kyc_id, at, id);
`;

/** Exchange with investment providers: their word on a user, and the state of the push of verifications to each. */
export const PROVIDERS = `
  -- A provider's own word on a user's identity: evidence for the reviewer, never an approval.
  CREATE TABLE kyc_provider_reports (
    id uuid PRIMARY KEY,
    user_id uuid NOT NULL CONSTRAINT kyc_provider_reports_user_fkey REFERENCES users (id),
    provider_code text NOT NULL
      CONSTRAINT kyc_provider_reports_provider_fkey REFERENCES investment_providers (code),
    status text NOT NULL,
    level text NOT NULL,
    data bytea,
    webhook_event_id uuid NOT NULL CONSTRAINT kyc_provider_reports_event_key UNIQUE,
    received_at timestamptz NOT NULL
  );
  CREATE INDEX kyc_provider_reports_user_idx ON kyc_provider_reports (user_id, received_at DESC);

  -- What a provider has accepted of a user's verification, so that only changes are pushed, and what it refused last.
  CREATE TABLE kyc_pushes (
    provider_code text NOT NULL CONSTRAINT kyc_pushes_provider_fkey REFERENCES investment_providers (code),
    user_id uuid NOT NULL CONSTRAINT kyc_pushes_user_fkey REFERENCES users (id),
    fingerprint text,
    accepted_at timestamptz,
    refused_fingerprint text,
    refused_at timestamptz,
    CONSTRAINT kyc_pushes_pkey PRIMARY KEY (provider_code, user_id),
    CONSTRAINT kyc_pushes_accepted_check CHECK ((fingerprint IS NULL) = (accepted_at IS NULL)),
    CONSTRAINT kyc_pushes_refused_check CHECK ((refused_fingerprint IS NULL) = (refused_at IS NULL))
  );
  CREATE INDEX kyc_pushes_user_idx ON kyc_pushes (user_id);

  CREATE TABLE kyc_syncs (
    provider_code text PRIMARY KEY CONSTRAINT kyc_syncs_provider_fkey REFERENCES investment_providers (code),
    slot text NOT NULL,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    accepted integer NOT NULL DEFAULT 0 CONSTRAINT kyc_syncs_accepted_check CHECK (accepted >= 0),
    refused integer NOT NULL DEFAULT 0,
    -- Of those, the ones that were refused whatever their content is; the CHECK also keeps those from below zero.
    missed integer NOT NULL DEFAULT 0 CONSTRAINT kyc_syncs_missed_check CHECK (missed BETWEEN 0 AND refused),
    problem text,
    -- The end of the last run in which the provider was told of everybody.
    completed_at timestamptz,
    -- Calls to the provider are paced: no call begins before.
    next_call_at timestamptz NOT NULL
  );
`;

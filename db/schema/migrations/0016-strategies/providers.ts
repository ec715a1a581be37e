/** The providers that run strategies. */
export const PROVIDERS = `
  CREATE TABLE investment_providers (
    code text PRIMARY KEY CONSTRAINT investment_providers_code_check CHECK (code ~ '^[a-z][a-z0-9-]{1,39}$'),
    name text NOT NULL,
    api_base text CONSTRAINT investment_providers_api_base_check CHECK (api_base LIKE 'http%'),
    sso_audience text,
    sso_url text CONSTRAINT investment_providers_sso_url_check CHECK (sso_url LIKE 'http%'),
    webhooks_per_minute integer
      CONSTRAINT investment_providers_webhooks_check CHECK (webhooks_per_minute BETWEEN 1 AND 1000000),
    is_active boolean NOT NULL DEFAULT true,
    -- Since when it is active and has an API; before that the time of its last change.
    connected_at timestamptz NOT NULL DEFAULT now(),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL
  );

  -- The newest secret of a purpose signs; each is accepted until valid_until (null: until it is replaced).
  CREATE TABLE investment_provider_secrets (
    id uuid PRIMARY KEY,
    provider_code text NOT NULL
      CONSTRAINT investment_provider_secrets_provider_fkey REFERENCES investment_providers (code),
    purpose text NOT NULL CONSTRAINT investment_provider_secrets_purpose_check CHECK (purpose IN ('WEBHOOK', 'SSO')),
    secret bytea NOT NULL,
    created_at timestamptz NOT NULL,
    valid_until timestamptz
  );
  CREATE UNIQUE INDEX investment_provider_secrets_current_key ON investment_provider_secrets (provider_code, purpose)
    WHERE valid_until IS NULL;
  CREATE INDEX investment_provider_secrets_provider_idx ON investment_provider_secrets (provider_code);

  -- The users who were led to a provider to sign in there: only of them may it report investments that nobody made here.
  CREATE TABLE investment_provider_sign_ins (
    provider_code text NOT NULL
      CONSTRAINT investment_provider_sign_ins_provider_fkey REFERENCES investment_providers (code),
    user_id uuid NOT NULL CONSTRAINT investment_provider_sign_ins_user_fkey REFERENCES users (id),
    first_at timestamptz NOT NULL,
    CONSTRAINT investment_provider_sign_ins_pkey PRIMARY KEY (provider_code, user_id)
  );
  CREATE INDEX investment_provider_sign_ins_user_idx ON investment_provider_sign_ins (user_id);
`;

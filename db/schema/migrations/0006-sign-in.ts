import type { QueryInterface } from 'sequelize';

/**
 * Signing in: sessions with rotating refresh tokens; the second factor with its recovery codes; codes that were sent;
 * half-done sign-ins; and people for whom another provider vouches, with sign-ins on their way there and back.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE sessions (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT sessions_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      user_agent text,
      ip_address text NOT NULL,
      device_fingerprint text,
      created_at timestamptz NOT NULL,
      last_active_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      revoked_at timestamptz,
      revoke_reason text CONSTRAINT sessions_revoke_reason_check
        CHECK (revoke_reason IN
          ('LOGOUT', 'REVOKED', 'REUSE', 'TOO_MANY', 'PASSWORD', 'TWO_FACTOR', 'ADMIN', 'DELETION')),
      country text,
      city text,
      -- When its user last proved who they are, for what asks for a fresh sign-in.
      confirmed_at timestamptz,
      CONSTRAINT sessions_revoked_check CHECK ((revoked_at IS NULL) = (revoke_reason IS NULL))
    );
    CREATE INDEX sessions_live_idx ON sessions (user_id, created_at) WHERE revoked_at IS NULL;

    CREATE TABLE refresh_tokens (
      token_hash text PRIMARY KEY,
      session_id uuid NOT NULL CONSTRAINT refresh_tokens_session_fkey REFERENCES sessions (id) ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      rotated_at timestamptz
    );
    -- A family has one live token: two rotations at once cannot both win.
    CREATE UNIQUE INDEX refresh_tokens_one_live_key ON refresh_tokens (session_id) WHERE rotated_at IS NULL;

    CREATE TABLE second_factors (
      user_id uuid PRIMARY KEY CONSTRAINT second_factors_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      method text NOT NULL CONSTRAINT second_factors_method_check CHECK (method IN ('TOTP', 'SMS', 'EMAIL')),
      secret_sealed bytea,
      created_at timestamptz NOT NULL,
      enabled_at timestamptz,
      last_step bigint NOT NULL DEFAULT 0,
      CONSTRAINT second_factors_secret_check CHECK ((secret_sealed IS NOT NULL) = (method = 'TOTP'))
    );

    CREATE TABLE backup_codes (
      user_id uuid NOT NULL
        CONSTRAINT backup_codes_factor_fkey REFERENCES second_factors (user_id) ON DELETE CASCADE,
      code_hash text NOT NULL,
      used_at timestamptz,
      PRIMARY KEY (user_id, code_hash)
    );

    CREATE TABLE sent_codes (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT sent_codes_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      purpose text NOT NULL
        CONSTRAINT sent_codes_purpose_check CHECK (purpose IN ('LOGIN', 'SETUP', 'DISABLE', 'PHONE', 'CONFIRM')),
      channel text NOT NULL CONSTRAINT sent_codes_channel_check CHECK (channel IN ('SMS', 'EMAIL')),
      destination text NOT NULL,
      code_sealed bytea NOT NULL,
      bound_to text,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      tries integer NOT NULL DEFAULT 0 CONSTRAINT sent_codes_tries_check CHECK (tries BETWEEN 0 AND 5),
      used_at timestamptz,
      superseded_at timestamptz,
      CONSTRAINT sent_codes_bound_check CHECK ((bound_to IS NOT NULL) = (purpose = 'LOGIN'))
    );
    CREATE UNIQUE INDEX sent_codes_one_live_key ON sent_codes (user_id, purpose, coalesce(bound_to, ''))
      WHERE used_at IS NULL AND superseded_at IS NULL;
    CREATE INDEX sent_codes_user_idx ON sent_codes (user_id, created_at);
    CREATE INDEX sent_codes_destination_idx ON sent_codes (destination, created_at);

    CREATE TABLE login_challenges (
      token_hash text PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT login_challenges_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      device_fingerprint text,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      tries integer NOT NULL DEFAULT 0 CONSTRAINT login_challenges_tries_check CHECK (tries BETWEEN 0 AND 5),
      used_at timestamptz
    );
    CREATE INDEX login_challenges_user_idx ON login_challenges (user_id, created_at);

    CREATE TABLE external_accounts (
      issuer text NOT NULL,
      subject text NOT NULL,
      user_id uuid NOT NULL
        CONSTRAINT external_accounts_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      PRIMARY KEY (issuer, subject)
    );
    CREATE INDEX external_accounts_user_idx ON external_accounts (user_id);

    CREATE TABLE external_sign_ins (
      state_hash text PRIMARY KEY,
      provider text NOT NULL,
      region text NOT NULL,
      nonce text NOT NULL,
      code_verifier text NOT NULL,
      referral_code text,
      touch_id uuid,
      expires_at timestamptz NOT NULL
    );
    CREATE INDEX external_sign_ins_expires_idx ON external_sign_ins (expires_at);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE external_sign_ins, external_accounts, login_challenges, sent_codes, backup_codes, second_factors,
      refresh_tokens, sessions;
  `);
}

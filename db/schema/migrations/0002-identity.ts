import type { QueryInterface } from 'sequelize';

/** People, their sessions with rotating refresh tokens, and their addresses. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE users (
      id uuid PRIMARY KEY,
      region text NOT NULL CONSTRAINT users_region_check CHECK (region IN ('EU', 'US', 'APAC')),
      email text NOT NULL CONSTRAINT users_email_lower_check CHECK (email = lower(email)),
      password_hash text,
      status text NOT NULL
        CONSTRAINT users_status_check CHECK (status IN ('PENDING_VERIFICATION', 'ACTIVE', 'SUSPENDED', 'BANNED')),
      roles text[] NOT NULL DEFAULT '{USER}'
        CONSTRAINT users_roles_check CHECK (roles <@ ARRAY['USER', 'ADMIN', 'SUPER_ADMIN'] AND roles <> '{}'),
      first_name text NOT NULL,
      last_name text NOT NULL,
      phone text,
      avatar_url text,
      kyc_status text NOT NULL DEFAULT 'NOT_STARTED'
        CONSTRAINT users_kyc_status_check CHECK (kyc_status IN
          ('NOT_STARTED', 'DOCUMENTS_PENDING', 'SUBMITTED', 'UNDER_REVIEW', 'APPROVED', 'REJECTED', 'NEEDS_INFO')),
      kyc_level text NOT NULL DEFAULT 'NONE'
        CONSTRAINT users_kyc_level_check CHECK (kyc_level IN ('NONE', 'BASIC', 'STANDARD', 'ENHANCED')),
      email_verified_at timestamptz,
      last_login_at timestamptz,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT users_region_email_key UNIQUE (region, email)
    );
    CREATE INDEX users_created_idx ON users (created_at, id);

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
        CHECK (revoke_reason IN ('LOGOUT', 'REUSE', 'TOO_MANY', 'PASSWORD', 'ADMIN')),
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

    CREATE TABLE addresses (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT addresses_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      label text,
      is_default boolean NOT NULL DEFAULT false,
      recipient_name text NOT NULL,
      street text NOT NULL,
      city text NOT NULL,
      region text,
      country text NOT NULL CONSTRAINT addresses_country_check CHECK (country ~ '^[A-Z]{2}$'),
      postal_code text NOT NULL,
      phone text,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX addresses_user_idx ON addresses (user_id, created_at);
    CREATE UNIQUE INDEX addresses_one_default_key ON addresses (user_id) WHERE is_default;
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE addresses, refresh_tokens, sessions, users;
  `);
}

import type { QueryInterface } from 'sequelize';

/** The second thing that proves who signs in, with its recovery codes; codes that were sent; half-done sign-ins. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
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
        CONSTRAINT sent_codes_purpose_check CHECK (purpose IN ('LOGIN', 'SETUP', 'DISABLE', 'PHONE')),
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
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query('DROP TABLE login_challenges, sent_codes, backup_codes, second_factors;');
}

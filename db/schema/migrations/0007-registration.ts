import type { QueryInterface } from 'sequelize';

/** Coming in and getting in again: tokens by mail, earlier passwords, and requests that wait for their process. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE mailed_tokens (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT mailed_tokens_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      purpose text NOT NULL
        CONSTRAINT mailed_tokens_purpose_check CHECK (purpose IN
          ('VERIFY_EMAIL', 'RESET_PASSWORD', 'UNDO_TWO_FACTOR_ON', 'UNDO_TWO_FACTOR_OFF', 'UNDO_DELETION')),
      token_hash text NOT NULL CONSTRAINT mailed_tokens_hash_key UNIQUE,
      created_at timestamptz NOT NULL,
      expires_at timestamptz NOT NULL,
      used_at timestamptz,
      superseded_at timestamptz,
      -- The second factor that was turned off, by which the token turns it on again.
      undo_sealed bytea,
      -- The request that used it, so that the same request, repeated, is told from another.
      used_by uuid,
      CONSTRAINT mailed_tokens_end_check CHECK (used_at IS NULL OR superseded_at IS NULL),
      CONSTRAINT mailed_tokens_undo_check CHECK (undo_sealed IS NULL
        OR (purpose = 'UNDO_TWO_FACTOR_OFF' AND used_at IS NULL AND superseded_at IS NULL)),
      CONSTRAINT mailed_tokens_used_check CHECK (used_by IS NULL OR used_at IS NOT NULL)
    );
    -- A person has one token at a time for a purpose: the latest mail is the one that counts.
    CREATE UNIQUE INDEX mailed_tokens_one_live_key ON mailed_tokens (user_id, purpose)
      WHERE used_at IS NULL AND superseded_at IS NULL;
    CREATE INDEX mailed_tokens_user_idx ON mailed_tokens (user_id, purpose, created_at);

    CREATE TABLE password_history (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT password_history_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      password_hash text NOT NULL,
      replaced_at timestamptz NOT NULL
    );
    CREATE INDEX password_history_user_idx ON password_history (user_id, replaced_at);

    CREATE TABLE pending_registrations (
      user_id uuid PRIMARY KEY,
      region text NOT NULL,
      email text NOT NULL,
      password_hash text NOT NULL,
      first_name text NOT NULL,
      last_name text NOT NULL,
      phone text,
      accepted_marketing boolean NOT NULL,
      sponsor_id uuid,
      touch_id uuid,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX pending_registrations_created_idx ON pending_registrations (created_at);

    CREATE TABLE password_reset_requests (
      id uuid PRIMARY KEY,
      region text NOT NULL,
      email text NOT NULL,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX password_reset_requests_created_idx ON password_reset_requests (created_at);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE password_reset_requests, pending_registrations, password_history, mailed_tokens;
  `);
}

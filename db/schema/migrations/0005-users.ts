import type { QueryInterface } from 'sequelize';

/**
 * Users: all that an account knows of its person, their addresses, and what administrators write about them and decide.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE EXTENSION IF NOT EXISTS pg_trgm;

    -- The form in which texts are searched: in lower case, without accents and without the vowel signs of Hebrew and
    -- Arabic, with plain letters for those that Unicode does not decompose. Not unaccent(), whose rules are a file of the
    -- server: with another one, indexes would silently miss rows. Most texts are ASCII, which needs no decomposition. Not
    -- STRICT, since the planner does not inline a strict function that has a CASE.
    CREATE FUNCTION search_key(words text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN
      CASE WHEN octet_length(words) = char_length(words) THEN lower(words) ELSE
        replace(replace(replace(replace(translate(lower(normalize(regexp_replace(normalize(words, NFD),
          '[\\u0300-\\u036F\\u0591-\\u05BD\\u05BF\\u05C1\\u05C2\\u05C4\\u05C5\\u05C7\\u064B-\\u065F\\u0670]', '', 'g'), NFC)),
          'łøđðħŧıς', 'loddhtiσ'), 'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
      END;

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
      middle_name text,
      date_of_birth date,
      country_code text CONSTRAINT users_country_code_check CHECK (country_code ~ '^[A-Z]{2}$'),
      home_region text,
      city text,
      postal_code text,
      address_line1 text,
      language text,
      timezone text,
      currency text CONSTRAINT users_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      phone_verified_at timestamptz,
      accepted_marketing boolean NOT NULL DEFAULT false,
      terms_accepted_at timestamptz,
      password_changed_at timestamptz,
      -- The partner who brought the user; the migration of partners adds the reference.
      sponsor_id uuid,
      suspended_at timestamptz,
      suspended_until timestamptz,
      suspended_by uuid,
      suspension_reason text,
      payout_method text
        CONSTRAINT users_payout_method_check CHECK (payout_method IN ('BANK_TRANSFER', 'CARD', 'EWALLET')),
      payout_masked text,
      payout_sealed bytea,
      payout_changed_at timestamptz,
      deletion_due_at timestamptz,
      erased_at timestamptz,
      CONSTRAINT users_region_email_key UNIQUE (region, email),
      CONSTRAINT users_suspended_check
        CHECK ((suspended_at IS NOT NULL AND status = 'SUSPENDED') OR suspended_until IS NULL),
      CONSTRAINT users_phone_check CHECK (phone IS NOT NULL OR phone_verified_at IS NULL),
      CONSTRAINT users_payout_check
        CHECK (num_nulls(payout_method, payout_masked, payout_sealed, payout_changed_at) IN (0, 4)),
      CONSTRAINT users_erased_check CHECK (erased_at IS NULL OR (deletion_due_at IS NULL AND password_hash IS NULL))
    );
    CREATE INDEX users_created_idx ON users (created_at, id);
    -- Checks of processes read what changed lately.
    CREATE INDEX users_updated_idx ON users (updated_at, id);
    CREATE INDEX users_sponsor_idx ON users (sponsor_id);
    CREATE INDEX users_deletion_idx ON users (deletion_due_at) WHERE deletion_due_at IS NOT NULL;
    CREATE INDEX users_erased_idx ON users (erased_at) WHERE erased_at IS NOT NULL;
    -- A telephone number belongs to one account once it is proven; naming one keeps nobody else from proving it.
    CREATE UNIQUE INDEX users_region_proven_phone_key ON users (region, phone) WHERE phone_verified_at IS NOT NULL;
    CREATE INDEX users_region_phone_idx ON users (region, phone);
    -- A line each, so that a search finds words of one of them and never across two.
    CREATE INDEX users_search_idx ON users USING gin (
      search_key(email || E'\\n' || first_name || ' ' || last_name || E'\\n' || coalesce(phone, '')) gin_trgm_ops);
    CREATE INDEX users_last_login_idx ON users (last_login_at DESC NULLS LAST, id DESC);
    CREATE INDEX users_super_admins_idx ON users (id) WHERE 'SUPER_ADMIN' = ANY (roles);

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

    CREATE TABLE user_notes (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT user_notes_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      content text NOT NULL,
      created_by uuid NOT NULL,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX user_notes_user_idx ON user_notes (user_id, created_at, id);

    CREATE TABLE user_standing_changes (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT user_standing_changes_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      decision text NOT NULL CONSTRAINT user_standing_changes_decision_check
        CHECK (decision IN ('SUSPEND', 'ACTIVATE', 'BAN', 'UNBAN')),
      decided_by uuid NOT NULL,
      until timestamptz,
      sessions_revoked integer NOT NULL,
      at timestamptz NOT NULL
    );
    CREATE INDEX user_standing_changes_user_idx ON user_standing_changes (user_id, at);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE user_standing_changes, user_notes, addresses, users;
    DROP FUNCTION search_key;
    DROP EXTENSION pg_trgm;
  `);
}

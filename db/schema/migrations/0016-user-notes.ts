import type { QueryInterface } from 'sequelize';

/** What administrators write about people and decide on them, and how they find them. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
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

    CREATE EXTENSION IF NOT EXISTS pg_trgm;
    -- A line each, so that a search finds words of one of them and never across two.
    CREATE INDEX users_search_idx ON users USING gin (
      (email || E'\\n' || first_name || ' ' || last_name || E'\\n' || coalesce(phone, '')) gin_trgm_ops);
    CREATE INDEX users_last_login_idx ON users (last_login_at DESC NULLS LAST, id DESC);
    CREATE INDEX users_super_admins_idx ON users (id) WHERE 'SUPER_ADMIN' = ANY (roles);
    CREATE INDEX audit_records_action_idx ON audit_records (action, sequence);
    CREATE INDEX audit_records_created_idx ON audit_records (created_at);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP INDEX audit_records_created_idx;
    DROP INDEX audit_records_action_idx;
    DROP INDEX users_super_admins_idx;
    DROP INDEX users_last_login_idx;
    DROP INDEX users_search_idx;
    DROP EXTENSION pg_trgm;
    DROP TABLE user_standing_changes, user_notes;
  `);
}

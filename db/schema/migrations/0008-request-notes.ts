import type { QueryInterface } from 'sequelize';

/** What people wrote and from where, so that processes carry an id and no personal data. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE request_notes (
      id uuid PRIMARY KEY,
      actor_id uuid NOT NULL,
      client_address text NOT NULL,
      text bytea,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX request_notes_actor_idx ON request_notes (actor_id, created_at);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE request_notes;
  `);
}

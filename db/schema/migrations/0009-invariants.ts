import type { QueryInterface } from 'sequelize';

/** What each check of the invariants found. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE invariant_runs (
      checked_at timestamptz PRIMARY KEY,
      broken jsonb NOT NULL CONSTRAINT invariant_runs_broken_check CHECK (jsonb_typeof(broken) = 'array')
    );
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE invariant_runs;
  `);
}

import type { QueryInterface } from 'sequelize';

/** How often a keyed request was put to its process: an outcome that was no answer is spent, and asked for anew. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(
    `ALTER TABLE idempotency_keys ADD COLUMN tries integer NOT NULL DEFAULT 1
       CONSTRAINT idempotency_keys_tries_check CHECK (tries >= 1)`,
  );
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query('ALTER TABLE idempotency_keys DROP COLUMN tries');
}

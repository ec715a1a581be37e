import type { QueryInterface } from 'sequelize';

/** Which request used a mailed token, so that the same request, repeated, is told from another. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE mailed_tokens
      ADD COLUMN used_by uuid,
      ADD CONSTRAINT mailed_tokens_used_check CHECK (used_by IS NULL OR used_at IS NOT NULL);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query('ALTER TABLE mailed_tokens DROP COLUMN used_by');
}

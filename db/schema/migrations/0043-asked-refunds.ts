import type { QueryInterface } from 'sequelize';

/**
 * When a provider was first asked to send a refund, so that every later try looks it up first. What is older may have
 * been asked for; the parts of a refund count as asked for as it does.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE payment_refunds ADD COLUMN asked_at timestamptz;
    UPDATE payment_refunds SET asked_at = created_at;
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query('ALTER TABLE payment_refunds DROP COLUMN asked_at');
}

import type { QueryInterface } from 'sequelize';

/** Keeps the bank account that a buyer was shown with the attempt, as its page is. Attempts before have none. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query('ALTER TABLE payment_attempts ADD COLUMN bank_details jsonb');
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query('ALTER TABLE payment_attempts DROP COLUMN bank_details');
}

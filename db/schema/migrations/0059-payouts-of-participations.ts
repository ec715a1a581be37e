import type { QueryInterface } from 'sequelize';

/**
 * The figures of a portfolio read payouts and late profits, whose number does not grow with years of profits.
 * Administrators search participations by any part of their number.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE INDEX investment_transactions_payouts_idx ON investment_transactions (participation_id)
      WHERE type IN ('WITHDRAWAL', 'PENALTY');
    CREATE INDEX investment_transactions_profits_idx ON investment_transactions (participation_id, created_at)
      WHERE type = 'PROFIT';
    CREATE INDEX participations_number_search_idx ON participations USING gin (number gin_trgm_ops);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP INDEX participations_number_search_idx;
    DROP INDEX investment_transactions_profits_idx;
    DROP INDEX investment_transactions_payouts_idx;
  `);
}

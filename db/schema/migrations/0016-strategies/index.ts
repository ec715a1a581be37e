import type { QueryInterface } from 'sequelize';
import { CHANGES } from './changes';
import { PROVIDERS } from './providers';
import { STRATEGIES } from './strategies';

/**
 * The providers that run strategies, and the strategies. Rates and percentages are basis points; money is in minor
 * units.
 */
export async function up(query: QueryInterface): Promise<void> {
  for (const part of [PROVIDERS, STRATEGIES, CHANGES]) await query.sequelize.query(part);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE investment_strategy_documents, investment_strategies, investment_categories,
      investment_provider_sign_ins, investment_provider_secrets, investment_providers;
    DROP FUNCTION announce_strategy_documents(), announce_strategy_updates(), announce_strategy_rows();
  `);
}

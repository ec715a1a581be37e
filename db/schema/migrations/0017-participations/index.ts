import type { QueryInterface } from 'sequelize';
import { PARTICIPATIONS } from './participations';
import { PROVIDER_PAYMENTS } from './provider-payments';
import { REPORTS } from './reports';
import { WITHDRAWALS } from './withdrawals';

/** Participations of people in strategies, the withdrawals of them, and the reports and payments of their providers. */
export async function up(query: QueryInterface): Promise<void> {
  for (const part of [PARTICIPATIONS, WITHDRAWALS, REPORTS, PROVIDER_PAYMENTS])
    await query.sequelize.query(part);
}

/** Balances keep what participations moved; the rows that explain it are gone. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP FUNCTION investment_provider_standing(text, text);
    DROP TABLE investment_provider_payments, investment_provider_write_offs;
    DROP FUNCTION bound_investment_provider_payment(), bound_investment_provider_write_off();
    DROP VIEW investment_provider_debts_now;
    DROP TABLE investment_provider_debts, investment_differences, provider_day_totals, investment_reports,
      investment_withdrawals, participation_values, investment_transactions, participations;
    DROP SEQUENCE participation_numbers;
    DELETE FROM domain_events WHERE type IN ('investment.created', 'profit.distributed');
    DELETE FROM webhook_events WHERE kind = 'INVESTMENT';
  `);
}

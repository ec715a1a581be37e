import { QueryTypes, type QueryInterface } from 'sequelize';
import { COMMISSIONS } from './commissions';
import { RANKS } from './ranks';
import { SALES } from './sales';

/**
 * Sales as the programme counts them, the commissions of them, and the ranks that they lead to. One event is one transaction
 * of the engine: its sale, its commissions, their bookings and all that is counted.
 */
export async function up(query: QueryInterface): Promise<void> {
  for (const part of [SALES, COMMISSIONS, RANKS]) await query.sequelize.query(part);
}

/** Also where nothing is booked, as of a sale whose commissions round to nothing: its points and volume stand in `partner_standings`. */
const COUNTED = `SELECT 1 FROM partner_sales WHERE partner_id IS NOT NULL
  UNION ALL SELECT 1 FROM partner_commissions UNION ALL SELECT 1 FROM partner_rank_changes
  UNION ALL SELECT 1 FROM ledger_transfers WHERE starts_with(kind, 'commission') OR kind = 'pool-fund' LIMIT 1`;

/**
 * The ledger and what is counted of partners stay when the tables go: sales that are counted again would be counted twice, and
 * sales that are not would be lost. Events that have left nothing there are queued again, for the `up` that follows.
 */
export async function down(query: QueryInterface): Promise<void> {
  const counted = await query.sequelize.query(COUNTED, { type: QueryTypes.SELECT });
  if (counted.length > 0)
    throw new Error(
      'Sales of partners, commissions, ranks or pools are counted, and the next release would count them twice: ' +
        'restore the backup from before the release.',
    );
  await query.sequelize.query(`
    DROP TABLE partner_rank_changes, partner_commission_restorals, partner_commissions, partner_sales;
    INSERT INTO event_deliveries (consumer, position, entity_id, type, occurred_at)
    SELECT 'commissions', position, entity_id, type, occurred_at FROM domain_events WHERE type IN ('order.paid', 'refund.completed',
      'refund.charged_back', 'chargeback.lost', 'chargeback.returned', 'investment.created', 'profit.distributed', 'entrance.paid')
    ON CONFLICT (consumer, position) DO NOTHING;
  `);
}

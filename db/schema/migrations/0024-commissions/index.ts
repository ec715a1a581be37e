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

const BOOKED = `SELECT 1 FROM ledger_transfers WHERE starts_with(kind, 'commission') OR kind = 'pool-fund' LIMIT 1`;

/**
 * The ledger stays when the tables go: sales that are counted again after a booking would be paid twice, and sales that are
 * not would be lost. Without bookings they are queued again, for the `up` that follows.
 */
export async function down(query: QueryInterface): Promise<void> {
  const booked = await query.sequelize.query(BOOKED, { type: QueryTypes.SELECT });
  if (booked.length > 0)
    throw new Error(
      'Commissions or pools are booked in the ledger, and counting their sales again would pay them twice: ' +
        'restore the backup from before the release.',
    );
  await query.sequelize.query(`
    DROP TABLE partner_rank_changes, partner_commission_restorals, partner_commissions, partner_sales;
    INSERT INTO event_deliveries (consumer, position, entity_id, type, occurred_at)
    SELECT 'commissions', position, entity_id, type, occurred_at FROM domain_events WHERE type IN ('order.paid', 'refund.completed',
      'refund.charged_back', 'chargeback.lost', 'chargeback.returned', 'investment.created', 'profit.distributed')
    ON CONFLICT (consumer, position) DO NOTHING;
  `);
}

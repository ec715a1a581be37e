import type { QueryInterface } from 'sequelize';
import { MOVED_GOODS } from './moved-goods';
import { NOTES } from './notes';
import { ORDERS } from './orders';
import { SHIPMENTS } from './shipments';

/**
 * Orders that checkout makes of carts, their parcels, and notes about them. A search for three letters or more reads no
 * table as a whole.
 */
export async function up(query: QueryInterface): Promise<void> {
  for (const part of [ORDERS, MOVED_GOODS, SHIPMENTS, NOTES]) await query.sequelize.query(part);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE stock_movements DROP CONSTRAINT stock_movements_order_fkey;
    DROP TABLE order_internal_notes, tracking_events, shipments, order_coupons, order_status_changes, order_items,
      orders;
    DROP SEQUENCE order_numbers;
    DROP FUNCTION refuse_internal_note_change();
  `);
}

import type { QueryInterface } from 'sequelize';

/** Refunds are looked for by their capture and by their request while the order is locked: without a scan of the table. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE INDEX payment_refunds_capture_idx ON payment_refunds (capture_id);
    CREATE INDEX payment_refunds_request_idx ON payment_refunds (refund_request_id)
      WHERE refund_request_id IS NOT NULL;
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query('DROP INDEX payment_refunds_request_idx, payment_refunds_capture_idx');
}

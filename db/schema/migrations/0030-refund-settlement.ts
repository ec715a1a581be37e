import type { QueryInterface } from 'sequelize';

/** Money that a person sends back: by which transfer of our bank, and who said so. A bank reference pays one refund. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE payment_refunds
      ADD COLUMN settlement_reference text
        CONSTRAINT payment_refunds_settlement_reference_key UNIQUE
        CONSTRAINT payment_refunds_settlement_reference_check CHECK (length(settlement_reference) BETWEEN 1 AND 200),
      -- The kept note that it was said with: the same settlement heard again is told from another.
      ADD COLUMN settlement_id uuid,
      ADD COLUMN settled_by uuid,
      ADD CONSTRAINT payment_refunds_settlement_check
        CHECK (num_nonnulls(settlement_reference, settlement_id, settled_by) IN (0, 3)),
      ADD CONSTRAINT payment_refunds_completed_check
        CHECK ((status = 'COMPLETED') = (completed_at IS NOT NULL)
          AND (status = 'COMPLETED') = (num_nonnulls(provider_refund_id, settlement_reference) = 1));
    CREATE INDEX payment_refunds_created_idx ON payment_refunds (created_at, id);
    CREATE INDEX payment_refunds_owed_idx ON payment_refunds (order_id) WHERE status = 'ABANDONED';
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP INDEX payment_refunds_owed_idx, payment_refunds_created_idx;
    ALTER TABLE payment_refunds
      DROP CONSTRAINT payment_refunds_completed_check,
      DROP CONSTRAINT payment_refunds_settlement_check;
    -- What a person sent keeps its reference as a provider's would be kept.
    UPDATE payment_refunds SET provider_refund_id = settlement_reference WHERE settlement_reference IS NOT NULL;
    ALTER TABLE payment_refunds DROP COLUMN settled_by, DROP COLUMN settlement_id, DROP COLUMN settlement_reference;
  `);
}

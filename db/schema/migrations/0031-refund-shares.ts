import type { QueryInterface } from 'sequelize';

/** Of which parts of the sale an approved refund is, and refunds that are for no pieces. Both are announced at once. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE refund_requests
      -- Of what is asked, what is for no pieces.
      ADD COLUMN amount_minor bigint NOT NULL DEFAULT 0
        CONSTRAINT refund_requests_amount_check CHECK (amount_minor BETWEEN 0 AND requested_minor),
      ADD COLUMN goods_back_minor bigint,
      ADD COLUMN goods_tax_back_minor bigint,
      ADD COLUMN shipping_back_minor bigint,
      ADD COLUMN shipping_tax_back_minor bigint;

    -- Goods and their tax came first, shipping and its tax with what was beyond these.
    UPDATE refund_requests r SET goods_back_minor = b.goods, shipping_back_minor = b.shipping,
      shipping_tax_back_minor = b.gross_shipping - b.shipping,
      goods_tax_back_minor = r.approved_minor - b.goods - b.gross_shipping
    FROM (
      SELECT r.id, greatest(0, r.approved_minor - (r.requested_minor - r.shipping_minor)) AS gross_shipping,
        coalesce(-sum(e.amount_minor) FILTER (WHERE e.account = 'sales'), 0) AS goods,
        coalesce(-sum(e.amount_minor) FILTER (WHERE e.account = 'shipping'), 0) AS shipping
      FROM refund_requests r JOIN ledger_transfers t ON t.reference = 'refund:' || r.id
      JOIN ledger_entries e ON e.transfer_id = t.id
      WHERE r.approved_minor IS NOT NULL GROUP BY r.id
    ) AS b WHERE b.id = r.id;

    ALTER TABLE refund_requests ADD CONSTRAINT refund_requests_shares_check CHECK (
      CASE WHEN approved_minor IS NULL
        THEN num_nonnulls(goods_back_minor, goods_tax_back_minor, shipping_back_minor, shipping_tax_back_minor) = 0
        ELSE coalesce(least(goods_back_minor, goods_tax_back_minor, shipping_back_minor, shipping_tax_back_minor) >= 0
          AND goods_back_minor + goods_tax_back_minor + shipping_back_minor + shipping_tax_back_minor = approved_minor,
          false) END);

    -- A sale is announced as taken back when it is, and no longer only when its money has arrived.
    INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
    SELECT gen_random_uuid(), 'refund.completed', 'refund.completed:' || r.id, r.order_id, json_build_object(
      'orderId', r.order_id, 'refundRequestId', r.id, 'goodsMinor', r.goods_back_minor, 'currency', r.currency,
      'full', o.refunded_minor = o.total_minor), r.decided_at
    FROM refund_requests r JOIN orders o ON o.id = r.order_id WHERE r.approved_minor IS NOT NULL
    ON CONFLICT ON CONSTRAINT domain_events_reference_key DO NOTHING;
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DELETE FROM domain_events USING refund_requests r
    WHERE reference = 'refund.completed:' || r.id AND r.status <> 'COMPLETED' AND taken_at IS NULL;
    ALTER TABLE refund_requests
      DROP CONSTRAINT refund_requests_shares_check,
      DROP COLUMN shipping_tax_back_minor,
      DROP COLUMN shipping_back_minor,
      DROP COLUMN goods_tax_back_minor,
      DROP COLUMN goods_back_minor,
      DROP COLUMN amount_minor;
  `);
}

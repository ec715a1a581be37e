import type { QueryInterface } from 'sequelize';

/** What buyers ask back, what was decided on it, and how much of an order has gone back in all. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE orders ADD COLUMN refunded_minor bigint NOT NULL DEFAULT 0;
    UPDATE orders SET refunded_minor = total_minor WHERE status = 'CANCELLED' AND paid_at IS NOT NULL;
    ALTER TABLE orders ADD CONSTRAINT orders_refunded_check CHECK (refunded_minor BETWEEN 0 AND total_minor);

    CREATE TABLE refund_requests (
      id uuid PRIMARY KEY,
      order_id uuid NOT NULL CONSTRAINT refund_requests_order_fkey REFERENCES orders (id),
      user_id uuid NOT NULL CONSTRAINT refund_requests_user_fkey REFERENCES users (id),
      status text NOT NULL CONSTRAINT refund_requests_status_check
        CHECK (status IN ('PENDING_REVIEW', 'APPROVED', 'REJECTED', 'PROCESSING', 'COMPLETED', 'FAILED')),
      -- Begun by an administrator, and then approved at once.
      by_shop boolean NOT NULL DEFAULT false,
      reason text NOT NULL,
      description text,
      currency text NOT NULL,
      requested_minor bigint NOT NULL CONSTRAINT refund_requests_requested_check CHECK (requested_minor > 0),
      approved_minor bigint
        CONSTRAINT refund_requests_approved_check CHECK (approved_minor BETWEEN 1 AND requested_minor),
      -- Of what is asked, the shipping and its tax; only what makes a refund full includes them.
      shipping_minor bigint NOT NULL DEFAULT 0
        CONSTRAINT refund_requests_shipping_check CHECK (shipping_minor BETWEEN 0 AND requested_minor),
      restock boolean,
      decision_note text,
      -- The kept note that the decision came with: the same decision heard again is told from another.
      decision_id uuid,
      decided_by uuid,
      decided_at timestamptz,
      -- When nothing more was to be done: turned down, all of it back, or given up.
      concluded_at timestamptz,
      created_at timestamptz NOT NULL,
      CONSTRAINT refund_requests_decision_check
        CHECK ((status = 'PENDING_REVIEW') = (decided_at IS NULL) AND (decided_at IS NULL) = (decision_id IS NULL)),
      CONSTRAINT refund_requests_approval_check
        CHECK ((status IN ('PENDING_REVIEW', 'REJECTED')) = (approved_minor IS NULL)),
      CONSTRAINT refund_requests_end_check
        CHECK ((status IN ('REJECTED', 'COMPLETED', 'FAILED')) = (concluded_at IS NOT NULL))
    );
    CREATE UNIQUE INDEX refund_requests_one_open_key ON refund_requests (order_id)
      WHERE NOT by_shop AND status IN ('PENDING_REVIEW', 'APPROVED', 'PROCESSING');
    CREATE INDEX refund_requests_order_idx ON refund_requests (order_id);
    CREATE INDEX refund_requests_user_idx ON refund_requests (user_id);
    CREATE INDEX refund_requests_created_idx ON refund_requests (created_at, id);

    CREATE TABLE refund_request_items (
      refund_request_id uuid NOT NULL
        CONSTRAINT refund_request_items_request_fkey REFERENCES refund_requests (id),
      order_item_id uuid NOT NULL CONSTRAINT refund_request_items_item_fkey REFERENCES order_items (id),
      quantity integer NOT NULL CONSTRAINT refund_request_items_quantity_check CHECK (quantity > 0),
      -- Goods after discount, and their tax.
      goods_minor bigint NOT NULL CONSTRAINT refund_request_items_goods_check CHECK (goods_minor >= 0),
      tax_minor bigint NOT NULL CONSTRAINT refund_request_items_tax_check CHECK (tax_minor >= 0),
      CONSTRAINT refund_request_items_pkey PRIMARY KEY (refund_request_id, order_item_id)
    );
    CREATE INDEX refund_request_items_item_idx ON refund_request_items (order_item_id);

    ALTER TABLE payment_refunds
      DROP CONSTRAINT payment_refunds_reason_check,
      ADD CONSTRAINT payment_refunds_reason_check
        CHECK (reason IN ('CANCELLATION', 'LATE_PAYMENT', 'DUPLICATE_PAYMENT', 'REFUND')),
      ADD COLUMN refund_request_id uuid
        CONSTRAINT payment_refunds_request_fkey REFERENCES refund_requests (id)
        CONSTRAINT payment_refunds_request_key UNIQUE,
      ADD CONSTRAINT payment_refunds_request_check CHECK ((reason = 'REFUND') = (refund_request_id IS NOT NULL));
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE payment_refunds
      DROP CONSTRAINT payment_refunds_request_check,
      DROP COLUMN refund_request_id,
      DROP CONSTRAINT payment_refunds_reason_check,
      ADD CONSTRAINT payment_refunds_reason_check
        CHECK (reason IN ('CANCELLATION', 'LATE_PAYMENT', 'DUPLICATE_PAYMENT'));
    DROP TABLE refund_request_items, refund_requests;
    ALTER TABLE orders DROP CONSTRAINT orders_refunded_check, DROP COLUMN refunded_minor;
  `);
}

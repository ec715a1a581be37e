import type { QueryInterface } from 'sequelize';

/** Refunds: what buyers ask back and what was decided on it, the money that goes back, and refunds that failed. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
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
      -- The note that the decision came with: the same decision, received again, is told from another.
      decision_id uuid,
      decided_by uuid,
      decided_at timestamptz,
      -- When nothing more was to be done: turned down, all of it back, or given up.
      concluded_at timestamptz,
      created_at timestamptz NOT NULL,
      -- Of what is asked, the part that is for no goods.
      amount_minor bigint NOT NULL DEFAULT 0
        CONSTRAINT refund_requests_amount_check CHECK (amount_minor BETWEEN 0 AND requested_minor),
      -- The parts of the sale that an approved refund is of.
      goods_back_minor bigint,
      goods_tax_back_minor bigint,
      shipping_back_minor bigint,
      shipping_tax_back_minor bigint,
      CONSTRAINT refund_requests_decision_check
        CHECK ((status = 'PENDING_REVIEW') = (decided_at IS NULL) AND (decided_at IS NULL) = (decision_id IS NULL)),
      CONSTRAINT refund_requests_approval_check
        CHECK ((status IN ('PENDING_REVIEW', 'REJECTED')) = (approved_minor IS NULL)),
      CONSTRAINT refund_requests_end_check
        CHECK ((status IN ('REJECTED', 'COMPLETED', 'FAILED')) = (concluded_at IS NOT NULL)),
      CONSTRAINT refund_requests_shares_check CHECK (
        CASE WHEN approved_minor IS NULL
          THEN num_nonnulls(goods_back_minor, goods_tax_back_minor, shipping_back_minor, shipping_tax_back_minor) = 0
          ELSE coalesce(least(goods_back_minor, goods_tax_back_minor, shipping_back_minor, shipping_tax_back_minor) >= 0
            AND goods_back_minor + goods_tax_back_minor + shipping_back_minor + shipping_tax_back_minor = approved_minor,
            false) END),
      -- For keys that hold a refund to its order.
      CONSTRAINT refund_requests_order_key UNIQUE (id, order_id)
    );
    ALTER TABLE stock_movements ADD CONSTRAINT stock_movements_refund_fkey
      FOREIGN KEY (refund_request_id, order_id) REFERENCES refund_requests (id, order_id);
    CREATE UNIQUE INDEX refund_requests_one_open_key ON refund_requests (order_id)
      WHERE NOT by_shop AND status IN ('PENDING_REVIEW', 'APPROVED', 'PROCESSING');
    CREATE INDEX refund_requests_order_idx ON refund_requests (order_id);
    CREATE INDEX refund_requests_user_idx ON refund_requests (user_id);
    CREATE INDEX refund_requests_created_idx ON refund_requests (created_at, id);
    CREATE INDEX refund_requests_status_idx ON refund_requests (status, created_at, id);
    -- Checks of processes read what was concluded lately.
    CREATE INDEX refund_requests_concluded_idx ON refund_requests (concluded_at, id) WHERE concluded_at IS NOT NULL;

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

    CREATE TABLE payment_refunds (
      id uuid PRIMARY KEY,
      order_id uuid CONSTRAINT payment_refunds_order_fkey REFERENCES orders (id),
      capture_id uuid NOT NULL CONSTRAINT payment_refunds_capture_fkey REFERENCES payment_captures (id),
      reason text NOT NULL
        CONSTRAINT payment_refunds_reason_check CHECK (reason IN
          ('CANCELLATION', 'LATE_PAYMENT', 'DUPLICATE_PAYMENT', 'AMOUNT_MISMATCH', 'REFUND')),
      amount_minor bigint NOT NULL CONSTRAINT payment_refunds_amount_check CHECK (amount_minor > 0),
      currency text NOT NULL,
      status text NOT NULL
        CONSTRAINT payment_refunds_status_check CHECK (status IN ('PROCESSING', 'COMPLETED', 'ABANDONED', 'CHARGED_BACK')),
      provider_refund_id text,
      created_at timestamptz NOT NULL,
      completed_at timestamptz,
      refund_request_id uuid CONSTRAINT payment_refunds_request_fkey REFERENCES refund_requests (id),
      -- Money that a person sends back: by which transfer of our bank, and who said so.
      settlement_reference text
        CONSTRAINT payment_refunds_settlement_reference_check CHECK (length(settlement_reference) BETWEEN 1 AND 200),
      -- The note that it was said with: the same settlement, received again, is told from another.
      settlement_id uuid,
      settled_by uuid,
      -- A chargeback that covers a refund which was not sent: that money has reached the buyer.
      chargeback_id uuid CONSTRAINT payment_refunds_chargeback_fkey REFERENCES chargebacks (id),
      -- A chargeback of a part ends that part, which becomes a refund of its own.
      split_from uuid CONSTRAINT payment_refunds_split_from_fkey REFERENCES payment_refunds (id),
      -- When a provider was last asked to send it: every later try looks it up first, and nobody else sends it before that is certain.
      asked_at timestamptz,
      -- The provider has it pending since then, and sends it by itself.
      pending_since timestamptz,
      -- The provider's refund that it had reported as sent, and could not deliver.
      returned_reference text,
      -- Its provider has last said of an attempt then that it has it, or refuses it.
      answered_at timestamptz,
      -- The number of the attempt that sends it; the next one begins after a refusal that is certain, or when what was sent came back.
      sendings integer NOT NULL DEFAULT 1 CONSTRAINT payment_refunds_sendings_check CHECK (sendings > 0),
      -- The attempt that was last requested from its provider; below sendings: that was refused, and a person begins the next.
      asked_sendings integer,
      participation_id uuid CONSTRAINT payment_refunds_participation_fkey REFERENCES participations (id),
      entrance_id uuid CONSTRAINT payment_refunds_entrance_fkey REFERENCES partner_entrances (id),
      top_up_id uuid CONSTRAINT payment_refunds_top_up_fkey REFERENCES top_ups (id),
      CONSTRAINT payment_refunds_pending_check CHECK (pending_since IS NULL OR answered_at IS NOT NULL),
      CONSTRAINT payment_refunds_request_check CHECK ((reason = 'REFUND') = (refund_request_id IS NOT NULL)),
      CONSTRAINT payment_refunds_settlement_check
        CHECK (num_nonnulls(settlement_reference, settlement_id, settled_by) IN (0, 3)),
      CONSTRAINT payment_refunds_completed_check
        CHECK ((status IN ('COMPLETED', 'CHARGED_BACK')) = (completed_at IS NOT NULL)
          AND (status = 'COMPLETED') = (num_nonnulls(provider_refund_id, settlement_reference) = 1)),
      CONSTRAINT payment_refunds_chargeback_check CHECK (status <> 'CHARGED_BACK' OR chargeback_id IS NOT NULL),
      CONSTRAINT payment_refunds_payable_check
        CHECK (num_nonnulls(order_id, participation_id, entrance_id, top_up_id) = 1)
    );
    CREATE UNIQUE INDEX payment_refunds_request_key ON payment_refunds (refund_request_id) WHERE split_from IS NULL;
    -- To a bank, BANK-7, bank-7 and BANK 7 are one reference, which pays one refund.
    CREATE UNIQUE INDEX payment_refunds_settlement_reference_key ON payment_refunds
      (upper(regexp_replace(settlement_reference, '[\\s\\u00a0\\u202f]', '', 'g')));
    CREATE INDEX payment_refunds_order_idx ON payment_refunds (order_id);
    CREATE INDEX payment_refunds_participation_idx ON payment_refunds (participation_id)
      WHERE participation_id IS NOT NULL;
    CREATE INDEX payment_refunds_entrance_idx ON payment_refunds (entrance_id) WHERE entrance_id IS NOT NULL;
    CREATE INDEX payment_refunds_top_up_idx ON payment_refunds (top_up_id) WHERE top_up_id IS NOT NULL;
    -- Looked for while the order is locked, without a scan of the table.
    CREATE INDEX payment_refunds_capture_idx ON payment_refunds (capture_id);
    CREATE INDEX payment_refunds_request_idx ON payment_refunds (refund_request_id)
      WHERE refund_request_id IS NOT NULL;
    CREATE INDEX payment_refunds_open_idx ON payment_refunds (created_at) WHERE status = 'PROCESSING';
    CREATE INDEX payment_refunds_owed_idx ON payment_refunds (order_id) WHERE status = 'ABANDONED';
    CREATE INDEX payment_refunds_returned_idx ON payment_refunds (id) WHERE returned_reference IS NOT NULL;
    CREATE INDEX payment_refunds_created_idx ON payment_refunds (created_at, id);
    -- Checks of processes read what ended lately.
    CREATE INDEX payment_refunds_settled_idx ON payment_refunds ((coalesce(completed_at, created_at)), id)
      WHERE status <> 'PROCESSING';
    -- A comparison with a provider's statement reads the refunds of a day, and finds one by the provider's id.
    CREATE INDEX payment_refunds_completed_idx ON payment_refunds (completed_at) WHERE status = 'COMPLETED';
    CREATE INDEX payment_refunds_provider_idx ON payment_refunds (provider_refund_id) WHERE status = 'COMPLETED';

    -- Refunds that a provider could not deliver, ours or made at the provider: each is final, whatever is reported later.
    CREATE TABLE failed_refunds (
      provider text NOT NULL,
      -- The provider's id of it.
      provider_refund_id text NOT NULL,
      capture_id uuid NOT NULL CONSTRAINT failed_refunds_capture_fkey REFERENCES payment_captures (id),
      failed_at timestamptz NOT NULL,
      CONSTRAINT failed_refunds_pkey PRIMARY KEY (provider, provider_refund_id)
    );
    CREATE INDEX failed_refunds_capture_idx ON failed_refunds (capture_id);
  `);
}

/** The money of refunds stays booked; the rows that explain it are gone. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE stock_movements DROP CONSTRAINT stock_movements_refund_fkey;
    DROP TABLE failed_refunds, payment_refunds, refund_request_items, refund_requests;
  `);
}

/** Orders with their lines, the course of their status, and their coupons. */
export const ORDERS = `
  CREATE SEQUENCE order_numbers;

  CREATE TABLE orders (
    id uuid PRIMARY KEY,
    number text NOT NULL CONSTRAINT orders_number_key UNIQUE,
    user_id uuid NOT NULL CONSTRAINT orders_user_fkey REFERENCES users (id),
    status text NOT NULL CONSTRAINT orders_status_check CHECK (status IN
      ('PENDING_PAYMENT', 'PAID', 'PROCESSING', 'SHIPPED', 'DELIVERED', 'CANCELLED', 'REFUNDED')),
    payment_status text NOT NULL
      CONSTRAINT orders_payment_status_check CHECK (payment_status IN ('PENDING', 'PAID', 'FAILED', 'REFUNDED')),
    currency text NOT NULL,
    subtotal_minor bigint NOT NULL,
    discount_minor bigint NOT NULL CONSTRAINT orders_discount_check CHECK (discount_minor BETWEEN 0 AND subtotal_minor),
    shipping_minor bigint NOT NULL CONSTRAINT orders_shipping_check CHECK (shipping_minor >= 0),
    tax_minor bigint NOT NULL CONSTRAINT orders_tax_check CHECK (tax_minor >= 0),
    total_minor bigint NOT NULL,
    partner_balance_minor bigint NOT NULL DEFAULT 0
      CONSTRAINT orders_partner_balance_check CHECK (partner_balance_minor BETWEEN 0 AND total_minor),
    payment_method text NOT NULL
      CONSTRAINT orders_payment_method_check CHECK (payment_method IN ('CARD', 'BANK_TRANSFER', 'EWALLET', 'BALANCE')),
    payment_expires_at timestamptz NOT NULL,
    paid_at timestamptz,
    -- The buyer's first order that was ever paid; decided in the transaction that pays it.
    is_first boolean NOT NULL DEFAULT false
      CONSTRAINT orders_first_check CHECK (NOT is_first OR paid_at IS NOT NULL),
    shipping_method_id uuid NOT NULL CONSTRAINT orders_shipping_method_fkey REFERENCES shipping_methods (id),
    shipping_method_name text NOT NULL,
    carrier text,
    estimated_delivery date,
    shipping_address jsonb NOT NULL,
    billing_address jsonb,
    notes text,
    cancel_reason text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- All that has gone back of it.
    refunded_minor bigint NOT NULL DEFAULT 0
      CONSTRAINT orders_refunded_check CHECK (refunded_minor BETWEEN 0 AND total_minor),
    CONSTRAINT orders_total_check CHECK (total_minor = subtotal_minor - discount_minor + shipping_minor + tax_minor)
  );
  CREATE INDEX orders_user_idx ON orders (user_id, created_at, id);
  CREATE INDEX orders_paid_idx ON orders (user_id, paid_at) WHERE paid_at IS NOT NULL;
  CREATE UNIQUE INDEX orders_first_key ON orders (user_id) WHERE is_first;
  CREATE INDEX orders_created_idx ON orders (created_at, id);
  CREATE INDEX orders_unpaid_idx ON orders (payment_expires_at) WHERE status = 'PENDING_PAYMENT';
  -- Checks of processes read what changed lately.
  CREATE INDEX orders_updated_idx ON orders (updated_at, id);
  -- The lists of administrators.
  CREATE INDEX orders_status_idx ON orders (status, created_at, id);
  CREATE INDEX orders_total_idx ON orders (total_minor, id);
  -- A line each, so that a search finds words of one of them and never across two.
  CREATE INDEX orders_search_idx ON orders USING gin (
    search_key(number || E'\\n' || coalesce(shipping_address ->> 'recipientName', '')) gin_trgm_ops);

  CREATE TABLE order_items (
    id uuid PRIMARY KEY,
    order_id uuid NOT NULL CONSTRAINT order_items_order_fkey REFERENCES orders (id),
    position integer NOT NULL,
    product_id uuid NOT NULL CONSTRAINT order_items_product_fkey REFERENCES products (id),
    -- The category that the product was in when it was ordered.
    category_id uuid,
    variant_id uuid,
    name text NOT NULL,
    sku text NOT NULL,
    thumbnail_url text,
    variant_attributes jsonb,
    quantity integer NOT NULL CONSTRAINT order_items_quantity_check CHECK (quantity > 0),
    unit_price_minor bigint NOT NULL,
    total_minor bigint NOT NULL,
    discount_minor bigint NOT NULL CONSTRAINT order_items_discount_check CHECK (discount_minor BETWEEN 0 AND total_minor),
    tax_minor bigint NOT NULL CONSTRAINT order_items_tax_check CHECK (tax_minor >= 0),
    commission_bp integer NOT NULL,
    career_points_bp integer NOT NULL,
    stock_item_id uuid CONSTRAINT order_items_stock_item_fkey REFERENCES stock_items (id),
    -- Of the quantity: the units that are refunded, and those that are available for sale again.
    refunded_quantity integer NOT NULL DEFAULT 0
      CONSTRAINT order_items_refunded_check CHECK (refunded_quantity BETWEEN 0 AND quantity),
    restocked_quantity integer NOT NULL DEFAULT 0
      CONSTRAINT order_items_restocked_check CHECK (restocked_quantity BETWEEN 0 AND quantity),
    CONSTRAINT order_items_position_key UNIQUE (order_id, position),
    CONSTRAINT order_items_total_check CHECK (total_minor = unit_price_minor * quantity)
  );
  CREATE INDEX order_items_product_idx ON order_items (product_id);
  CREATE INDEX order_items_sku_search_idx ON order_items USING gin (search_key(sku) gin_trgm_ops);

  CREATE TABLE order_status_changes (
    id uuid PRIMARY KEY,
    order_id uuid NOT NULL CONSTRAINT order_status_changes_order_fkey REFERENCES orders (id),
    status text NOT NULL,
    note text,
    changed_by uuid,
    changed_at timestamptz NOT NULL,
    -- The note by which the change was asked for, so that a step done before is recognised.
    note_id uuid CONSTRAINT order_status_changes_note_key UNIQUE,
    CONSTRAINT order_status_changes_once_key UNIQUE (order_id, status)
  );

  CREATE TABLE order_coupons (
    order_id uuid NOT NULL CONSTRAINT order_coupons_order_fkey REFERENCES orders (id),
    coupon_id uuid NOT NULL CONSTRAINT order_coupons_coupon_fkey REFERENCES coupons (id),
    code text NOT NULL,
    discount_minor bigint NOT NULL,
    returned_at timestamptz,
    CONSTRAINT order_coupons_pkey PRIMARY KEY (order_id, coupon_id)
  );
  CREATE INDEX order_coupons_coupon_idx ON order_coupons (coupon_id);
`;

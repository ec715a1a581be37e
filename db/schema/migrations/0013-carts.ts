import type { QueryInterface } from 'sequelize';

/** Carts: goods and coupons that a user has chosen and not ordered yet. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE carts (
      id uuid PRIMARY KEY,
      user_id uuid NOT NULL CONSTRAINT carts_user_key UNIQUE CONSTRAINT carts_user_fkey REFERENCES users (id) ON DELETE CASCADE,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX carts_updated_idx ON carts (updated_at);

    CREATE TABLE cart_items (
      id uuid PRIMARY KEY,
      cart_id uuid NOT NULL CONSTRAINT cart_items_cart_fkey REFERENCES carts (id) ON DELETE CASCADE,
      product_id uuid NOT NULL CONSTRAINT cart_items_product_fkey REFERENCES products (id),
      variant_id uuid CONSTRAINT cart_items_variant_fkey REFERENCES product_variants (id) ON DELETE CASCADE,
      quantity integer NOT NULL CONSTRAINT cart_items_quantity_check CHECK (quantity BETWEEN 1 AND 100),
      shown_price_minor bigint NOT NULL,
      added_at timestamptz NOT NULL,
      CONSTRAINT cart_items_line_key UNIQUE NULLS NOT DISTINCT (cart_id, product_id, variant_id)
    );
    CREATE INDEX cart_items_product_idx ON cart_items (product_id);

    CREATE TABLE cart_coupons (
      cart_id uuid NOT NULL CONSTRAINT cart_coupons_cart_fkey REFERENCES carts (id) ON DELETE CASCADE,
      coupon_id uuid NOT NULL CONSTRAINT cart_coupons_coupon_fkey REFERENCES coupons (id) ON DELETE CASCADE,
      added_at timestamptz NOT NULL,
      -- The discount that the cart last showed; null when it showed that the coupon does not apply, or nothing yet.
      shown_discount_minor bigint,
      CONSTRAINT cart_coupons_pkey PRIMARY KEY (cart_id, coupon_id)
    );
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE cart_coupons, cart_items, carts;
  `);
}

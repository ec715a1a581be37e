import type { QueryInterface } from 'sequelize';

/**
 * The price of an order apart from its goods: tax by country, shipping by zone and weight, coupons with their limits.
 * Methods and coupons that were deleted stay for the orders that refer to them.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE tax_rates (
      country text PRIMARY KEY CONSTRAINT tax_rates_country_check CHECK (country ~ '^[A-Z]{2}$'),
      rate_bp integer NOT NULL CONSTRAINT tax_rates_rate_check CHECK (rate_bp BETWEEN 0 AND 10000)
    );

    CREATE TABLE shipping_zones (
      id uuid PRIMARY KEY,
      name text NOT NULL CONSTRAINT shipping_zones_name_key UNIQUE
    );
    CREATE TABLE shipping_zone_countries (
      country text PRIMARY KEY CONSTRAINT shipping_zone_countries_country_check CHECK (country ~ '^[A-Z]{2}$'),
      zone_id uuid NOT NULL CONSTRAINT shipping_zone_countries_zone_fkey REFERENCES shipping_zones (id) ON DELETE CASCADE
    );
    CREATE INDEX shipping_zone_countries_zone_idx ON shipping_zone_countries (zone_id);

    CREATE TABLE shipping_methods (
      id uuid PRIMARY KEY,
      name text NOT NULL,
      carrier text NOT NULL,
      description text,
      min_days integer NOT NULL CONSTRAINT shipping_methods_min_days_check CHECK (min_days >= 0),
      max_days integer NOT NULL,
      currency text NOT NULL CONSTRAINT shipping_methods_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      free_threshold_minor bigint CONSTRAINT shipping_methods_free_threshold_check CHECK (free_threshold_minor >= 0),
      tracking_url_template text,
      is_active boolean NOT NULL DEFAULT true,
      position integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      deleted_at timestamptz,
      CONSTRAINT shipping_methods_days_check CHECK (max_days >= min_days)
    );
    CREATE TABLE shipping_rates (
      method_id uuid NOT NULL CONSTRAINT shipping_rates_method_fkey REFERENCES shipping_methods (id) ON DELETE CASCADE,
      zone_id uuid NOT NULL CONSTRAINT shipping_rates_zone_fkey REFERENCES shipping_zones (id) ON DELETE CASCADE,
      base_minor bigint NOT NULL CONSTRAINT shipping_rates_base_check CHECK (base_minor >= 0),
      per_kg_minor bigint NOT NULL CONSTRAINT shipping_rates_per_kg_check CHECK (per_kg_minor >= 0),
      CONSTRAINT shipping_rates_pkey PRIMARY KEY (method_id, zone_id)
    );
    CREATE INDEX shipping_rates_zone_idx ON shipping_rates (zone_id);

    CREATE TABLE coupons (
      id uuid PRIMARY KEY,
      code text NOT NULL CONSTRAINT coupons_code_check CHECK (code = upper(code) AND code <> ''),
      type text NOT NULL CONSTRAINT coupons_type_check CHECK (type IN ('PERCENTAGE', 'FIXED')),
      percentage_bp integer CONSTRAINT coupons_percentage_check CHECK (percentage_bp BETWEEN 1 AND 10000),
      amount_minor bigint CONSTRAINT coupons_amount_check CHECK (amount_minor > 0),
      min_subtotal_minor bigint CONSTRAINT coupons_min_subtotal_check CHECK (min_subtotal_minor >= 0),
      starts_at timestamptz,
      ends_at timestamptz,
      usage_limit integer CONSTRAINT coupons_usage_limit_check CHECK (usage_limit > 0),
      per_user_limit integer CONSTRAINT coupons_per_user_limit_check CHECK (per_user_limit > 0),
      used_count integer NOT NULL DEFAULT 0,
      product_ids uuid[] NOT NULL DEFAULT '{}',
      category_ids uuid[] NOT NULL DEFAULT '{}',
      is_active boolean NOT NULL DEFAULT true,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      deleted_at timestamptz,
      CONSTRAINT coupons_value_check CHECK (
        (type = 'PERCENTAGE' AND percentage_bp IS NOT NULL AND amount_minor IS NULL) OR
        (type = 'FIXED' AND amount_minor IS NOT NULL AND percentage_bp IS NULL)),
      CONSTRAINT coupons_used_count_check CHECK (used_count >= 0 AND used_count <= coalesce(usage_limit, used_count))
    );
    -- The code of a coupon that is gone is free for another one.
    CREATE UNIQUE INDEX coupons_live_code_key ON coupons (code) WHERE deleted_at IS NULL;
    CREATE TABLE coupon_uses (
      coupon_id uuid NOT NULL CONSTRAINT coupon_uses_coupon_fkey REFERENCES coupons (id),
      user_id uuid NOT NULL CONSTRAINT coupon_uses_user_fkey REFERENCES users (id),
      uses integer NOT NULL CONSTRAINT coupon_uses_uses_check CHECK (uses >= 0),
      CONSTRAINT coupon_uses_pkey PRIMARY KEY (coupon_id, user_id)
    );
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE coupon_uses, coupons, shipping_rates, shipping_methods, shipping_zone_countries, shipping_zones,
      tax_rates;
  `);
}

import type { QueryInterface } from 'sequelize';

/** Categories, products with images and variants, and stock with the history of every movement. */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    CREATE TABLE categories (
      id uuid PRIMARY KEY,
      parent_id uuid CONSTRAINT categories_parent_fkey REFERENCES categories (id),
      name text NOT NULL,
      slug text NOT NULL CONSTRAINT categories_slug_key UNIQUE,
      description text,
      image_url text,
      position integer NOT NULL DEFAULT 0,
      is_active boolean NOT NULL DEFAULT true,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL,
      CONSTRAINT categories_parent_check CHECK (parent_id <> id)
    );
    CREATE INDEX categories_parent_idx ON categories (parent_id, position);

    CREATE TABLE products (
      id uuid PRIMARY KEY,
      category_id uuid CONSTRAINT products_category_fkey REFERENCES categories (id),
      name text NOT NULL,
      slug text NOT NULL CONSTRAINT products_slug_key UNIQUE,
      sku text NOT NULL CONSTRAINT products_sku_key UNIQUE,
      description text NOT NULL,
      short_description text,
      price_minor bigint NOT NULL CONSTRAINT products_price_check CHECK (price_minor >= 0),
      compare_at_price_minor bigint CONSTRAINT products_compare_at_price_check CHECK (compare_at_price_minor >= 0),
      currency text NOT NULL DEFAULT 'USD' CONSTRAINT products_currency_check CHECK (currency ~ '^[A-Z]{3}$'),
      status text NOT NULL
        CONSTRAINT products_status_check CHECK (status IN ('ACTIVE', 'DRAFT', 'ARCHIVED', 'OUT_OF_STOCK')),
      track_inventory boolean NOT NULL DEFAULT true,
      max_per_line integer NOT NULL DEFAULT 100
        CONSTRAINT products_max_per_line_check CHECK (max_per_line BETWEEN 1 AND 100),
      weight_grams integer CONSTRAINT products_weight_check CHECK (weight_grams >= 0),
      length_mm integer CONSTRAINT products_length_check CHECK (length_mm >= 0),
      width_mm integer CONSTRAINT products_width_check CHECK (width_mm >= 0),
      height_mm integer CONSTRAINT products_height_check CHECK (height_mm >= 0),
      tags text[] NOT NULL DEFAULT '{}',
      attributes jsonb NOT NULL DEFAULT '{}',
      commission_bp integer NOT NULL CONSTRAINT products_commission_check CHECK (commission_bp BETWEEN 0 AND 10000),
      career_points_bp integer NOT NULL
        CONSTRAINT products_career_points_check CHECK (career_points_bp BETWEEN 0 AND 1000000),
      ratings integer[] NOT NULL DEFAULT '{0,0,0,0,0}'
        CONSTRAINT products_ratings_check CHECK (cardinality(ratings) = 5 AND 0 <= ALL (ratings)),
      units_sold_90d integer NOT NULL DEFAULT 0,
      search tsvector NOT NULL GENERATED ALWAYS AS (
        setweight(to_tsvector('english', name), 'A') || setweight(to_tsvector('simple', name), 'A') ||
        setweight(to_tsvector('english', description), 'B') || setweight(to_tsvector('simple', description), 'B')
      ) STORED,
      created_at timestamptz NOT NULL,
      updated_at timestamptz NOT NULL
    );
    CREATE INDEX products_search_idx ON products USING gin (search);
    CREATE INDEX products_tags_idx ON products USING gin (tags);
    CREATE INDEX products_created_idx ON products (created_at, id) INCLUDE (status, track_inventory)
      WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
    CREATE INDEX products_price_idx ON products (price_minor, id) WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
    CREATE INDEX products_name_idx ON products (lower(name), id) WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
    CREATE INDEX products_popularity_idx ON products (units_sold_90d, id) WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
    CREATE INDEX products_category_idx ON products (category_id, created_at, id) INCLUDE (status, track_inventory)
      WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
    CREATE INDEX products_category_popularity_idx ON products (category_id, units_sold_90d, id)
      WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');

    CREATE TABLE product_images (
      id uuid PRIMARY KEY,
      product_id uuid NOT NULL CONSTRAINT product_images_product_fkey REFERENCES products (id) ON DELETE CASCADE,
      url text NOT NULL,
      thumbnail_url text NOT NULL,
      alt text,
      is_primary boolean NOT NULL DEFAULT false,
      position integer NOT NULL DEFAULT 0
    );
    CREATE INDEX product_images_product_idx ON product_images (product_id, position);
    CREATE UNIQUE INDEX product_images_one_primary_key ON product_images (product_id) WHERE is_primary;

    CREATE TABLE product_variants (
      id uuid PRIMARY KEY,
      product_id uuid NOT NULL CONSTRAINT product_variants_product_fkey REFERENCES products (id) ON DELETE CASCADE,
      name text NOT NULL,
      sku text NOT NULL CONSTRAINT product_variants_sku_key UNIQUE,
      price_minor bigint NOT NULL CONSTRAINT product_variants_price_check CHECK (price_minor >= 0),
      attributes jsonb NOT NULL DEFAULT '{}',
      position integer NOT NULL DEFAULT 0,
      created_at timestamptz NOT NULL
    );
    CREATE INDEX product_variants_product_idx ON product_variants (product_id, position);

    CREATE TABLE stock_items (
      id uuid PRIMARY KEY,
      product_id uuid NOT NULL CONSTRAINT stock_items_product_fkey REFERENCES products (id),
      variant_id uuid CONSTRAINT stock_items_variant_fkey REFERENCES product_variants (id),
      available integer NOT NULL CONSTRAINT stock_items_available_check CHECK (available >= 0),
      reserved integer NOT NULL DEFAULT 0 CONSTRAINT stock_items_reserved_check CHECK (reserved >= 0),
      updated_at timestamptz NOT NULL,
      CONSTRAINT stock_items_product_variant_key UNIQUE NULLS NOT DISTINCT (product_id, variant_id)
    );

    CREATE TABLE stock_movements (
      id uuid PRIMARY KEY,
      stock_item_id uuid NOT NULL CONSTRAINT stock_movements_item_fkey REFERENCES stock_items (id),
      kind text NOT NULL CONSTRAINT stock_movements_kind_check
        CHECK (kind IN ('INITIAL', 'RESERVE', 'RELEASE', 'SELL', 'RESTOCK', 'ADJUST')),
      available_delta integer NOT NULL,
      reserved_delta integer NOT NULL,
      reference text NOT NULL,
      created_at timestamptz NOT NULL,
      CONSTRAINT stock_movements_reference_key UNIQUE (stock_item_id, reference)
    );
    CREATE TRIGGER stock_movements_no_change BEFORE UPDATE OR DELETE ON stock_movements
      FOR EACH ROW EXECUTE FUNCTION refuse_change();

    CREATE TABLE product_daily_sales (
      product_id uuid NOT NULL CONSTRAINT product_daily_sales_product_fkey REFERENCES products (id),
      day date NOT NULL,
      units integer NOT NULL,
      CONSTRAINT product_daily_sales_pkey PRIMARY KEY (product_id, day)
    );
    CREATE INDEX product_daily_sales_day_idx ON product_daily_sales (day);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP TABLE product_daily_sales, stock_movements, stock_items, product_variants, product_images, products, categories;
  `);
}

/** Categories, and products with images, variants and their daily sales. */
export const PRODUCTS = `
  -- The form in which codes of goods are compared: NFKC, without white space and invisible characters, with one dash, in
  -- one case. The same as codeKey of workflows/typed-text.rules.ts for the codes that people use.
  CREATE FUNCTION code_key(code text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
    upper(regexp_replace(regexp_replace(normalize(
      regexp_replace(code, '[\\u0001-\\u0008\\u000E-\\u001F\\u007F-\\u0084\\u0086-\\u009F\\u00AD\\u034F\\u061C\\u115F\\u1160\\u17B4\\u17B5\\u180B-\\u180F\\u200B-\\u200F\\u202A-\\u202E\\u2060-\\u206F\\u3164\\uE000-\\uF8FF\\uFE00-\\uFE0F\\uFEFF\\uFFA0\\uFFF0-\\uFFFB\\U000E0000-\\U000E0FFF]', '', 'g'), NFKC),
      '[[:space:]\\u0085\\u00A0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u2800\\u3000]', '', 'g'),
      '[\\u058A\\u05BE\\u1400\\u1806\\u2010-\\u2015\\u2212\\u2E17\\u2E1A\\u2E3A\\u2E3B\\u2E40\\u301C\\u3030\\u30A0]', '-', 'g'));

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
  CREATE INDEX categories_off_idx ON categories (id) WHERE NOT is_active;

  CREATE TABLE products (
    id uuid PRIMARY KEY,
    category_id uuid CONSTRAINT products_category_fkey REFERENCES categories (id),
    name text NOT NULL,
    slug text NOT NULL CONSTRAINT products_slug_key UNIQUE,
    sku text NOT NULL,
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
      setweight(to_tsvector('english', search_key(name)), 'A') ||
      setweight(to_tsvector('simple', search_key(name)), 'A') ||
      setweight(to_tsvector('english', search_key(description)), 'B') ||
      setweight(to_tsvector('simple', search_key(description)), 'B')
    ) STORED,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- A product that was deleted is an archived one: administrators see it, may bring it back, and its SKU stays taken.
    deleted_at timestamptz,
    CONSTRAINT products_deleted_check CHECK (deleted_at IS NULL OR status = 'ARCHIVED')
  );
  CREATE UNIQUE INDEX products_sku_key ON products (code_key(sku));
  CREATE INDEX products_search_idx ON products USING gin (search);
  CREATE INDEX products_tags_idx ON products USING gin (tags);
  CREATE INDEX products_created_idx ON products (created_at, id) INCLUDE (status, track_inventory)
    WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
  CREATE INDEX products_price_idx ON products (price_minor, id) WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
  CREATE INDEX products_name_idx ON products (name COLLATE "und-x-icu", id) WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
  CREATE INDEX products_popularity_idx ON products (units_sold_90d, id) WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
  CREATE INDEX products_category_idx ON products (category_id, created_at, id) INCLUDE (status, track_inventory)
    WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
  CREATE INDEX products_category_popularity_idx ON products (category_id, units_sold_90d, id)
    WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
  CREATE INDEX products_category_price_idx ON products (category_id, price_minor, id)
    WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
  CREATE INDEX products_category_name_idx ON products (category_id, name COLLATE "und-x-icu", id)
    WHERE status IN ('ACTIVE', 'OUT_OF_STOCK');
  CREATE INDEX products_any_category_idx ON products (category_id) INCLUDE (deleted_at);
  -- The lists of administrators, which have archived products as well.
  CREATE INDEX products_all_created_idx ON products (created_at, id);
  CREATE INDEX products_administration_search_idx ON products USING gin (search_key(name || E'\\n' || sku) gin_trgm_ops);

  CREATE TABLE product_images (
    id uuid PRIMARY KEY,
    product_id uuid NOT NULL CONSTRAINT product_images_product_fkey REFERENCES products (id) ON DELETE CASCADE,
    url text NOT NULL,
    thumbnail_url text NOT NULL,
    alt text,
    is_primary boolean NOT NULL DEFAULT false,
    position integer NOT NULL DEFAULT 0,
    -- Pictures that were uploaded here are blobs of ours.
    media_name text CONSTRAINT product_images_media_fkey REFERENCES media (name),
    thumbnail_media_name text CONSTRAINT product_images_thumbnail_media_fkey REFERENCES media (name)
  );
  CREATE INDEX product_images_product_idx ON product_images (product_id, position);
  CREATE UNIQUE INDEX product_images_one_primary_key ON product_images (product_id) WHERE is_primary;
  CREATE INDEX product_images_media_idx ON product_images (media_name);
  CREATE INDEX product_images_thumbnail_media_idx ON product_images (thumbnail_media_name);

  CREATE TABLE product_variants (
    id uuid PRIMARY KEY,
    product_id uuid NOT NULL CONSTRAINT product_variants_product_fkey REFERENCES products (id) ON DELETE CASCADE,
    name text NOT NULL,
    sku text NOT NULL,
    price_minor bigint NOT NULL CONSTRAINT product_variants_price_check CHECK (price_minor >= 0),
    attributes jsonb NOT NULL DEFAULT '{}',
    position integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL,
    -- One that was taken out of the shop stays for the orders and the stock history that refer to it.
    deleted_at timestamptz
  );
  -- A variant that is gone no longer keeps its SKU from the one that takes its place.
  CREATE UNIQUE INDEX product_variants_sku_key ON product_variants (code_key(sku)) WHERE deleted_at IS NULL;
  CREATE INDEX product_variants_product_idx ON product_variants (product_id, position);

  CREATE TABLE product_daily_sales (
    product_id uuid NOT NULL CONSTRAINT product_daily_sales_product_fkey REFERENCES products (id),
    day date NOT NULL,
    units integer NOT NULL,
    CONSTRAINT product_daily_sales_pkey PRIMARY KEY (product_id, day)
  );
  CREATE INDEX product_daily_sales_day_idx ON product_daily_sales (day);
`;

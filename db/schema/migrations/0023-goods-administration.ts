import type { QueryInterface } from 'sequelize';

/**
 * What is taken out of the shop stays for the orders and the stock history that refer to it, with the moment it went;
 * pictures of products are blobs of ours.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    ALTER TABLE products ADD COLUMN deleted_at timestamptz,
      ADD CONSTRAINT products_deleted_check CHECK (deleted_at IS NULL OR status = 'ARCHIVED');
    ALTER TABLE product_variants ADD COLUMN deleted_at timestamptz;
    ALTER TABLE coupons ADD COLUMN deleted_at timestamptz, DROP CONSTRAINT coupons_code_key;
    -- The code of a coupon that is gone is free for another one.
    CREATE UNIQUE INDEX coupons_live_code_key ON coupons (code) WHERE deleted_at IS NULL;
    ALTER TABLE shipping_methods ADD COLUMN deleted_at timestamptz;
    ALTER TABLE media DROP CONSTRAINT media_purpose_check,
      ADD CONSTRAINT media_purpose_check CHECK (purpose IN ('AVATAR', 'PRODUCT'));
    ALTER TABLE product_images
      ADD COLUMN media_name text CONSTRAINT product_images_media_fkey REFERENCES media (name),
      ADD COLUMN thumbnail_media_name text CONSTRAINT product_images_thumbnail_media_fkey REFERENCES media (name);
    CREATE INDEX product_images_media_idx ON product_images (media_name);
    CREATE INDEX product_images_thumbnail_media_idx ON product_images (thumbnail_media_name);
    CREATE INDEX products_all_created_idx ON products (created_at, id) WHERE deleted_at IS NULL;
    CREATE INDEX products_administration_search_idx ON products USING gin ((name || E'\\n' || sku) gin_trgm_ops)
      WHERE deleted_at IS NULL;
    -- What is gone from the shop no longer keeps its number from what takes its place.
    ALTER TABLE products DROP CONSTRAINT products_sku_key;
    CREATE UNIQUE INDEX products_sku_key ON products (sku) WHERE deleted_at IS NULL;
    ALTER TABLE product_variants DROP CONSTRAINT product_variants_sku_key;
    CREATE UNIQUE INDEX product_variants_sku_key ON product_variants (sku) WHERE deleted_at IS NULL;
    -- Goods of a variant that is gone: they count for nothing that anyone could order.
    ALTER TABLE stock_items ADD COLUMN withdrawn boolean NOT NULL DEFAULT false;
    CREATE INDEX stock_movements_item_idx ON stock_movements (stock_item_id, created_at, id);
    CREATE INDEX orders_status_idx ON orders (status, created_at, id);
  `);
}

export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP INDEX orders_status_idx, stock_movements_item_idx, products_all_created_idx;
    DROP INDEX products_administration_search_idx, products_sku_key, product_variants_sku_key;
    ALTER TABLE stock_items DROP COLUMN withdrawn;
    UPDATE products SET sku = sku || '-' || id WHERE deleted_at IS NOT NULL;
    UPDATE product_variants SET sku = sku || '-' || id WHERE deleted_at IS NOT NULL;
    ALTER TABLE products ADD CONSTRAINT products_sku_key UNIQUE (sku);
    ALTER TABLE product_variants ADD CONSTRAINT product_variants_sku_key UNIQUE (sku);
    ALTER TABLE product_images DROP COLUMN media_name, DROP COLUMN thumbnail_media_name;
    DELETE FROM media WHERE purpose = 'PRODUCT';
    ALTER TABLE media DROP CONSTRAINT media_purpose_check,
      ADD CONSTRAINT media_purpose_check CHECK (purpose IN ('AVATAR'));
    ALTER TABLE shipping_methods DROP COLUMN deleted_at;
    DROP INDEX coupons_live_code_key;
    UPDATE coupons SET code = code || '-' || upper(id::text) WHERE deleted_at IS NOT NULL;
    ALTER TABLE coupons DROP COLUMN deleted_at, ADD CONSTRAINT coupons_code_key UNIQUE (code);
    ALTER TABLE product_variants DROP COLUMN deleted_at;
    ALTER TABLE products DROP CONSTRAINT products_deleted_check, DROP COLUMN deleted_at;
  `);
}

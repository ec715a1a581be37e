import type { QueryInterface } from 'sequelize';

/**
 * A product that was deleted is an archived one: administrators see it, may bring it back, and its SKU stays taken. What
 * earlier deletions took with it (variants, their stock) comes back; where something else has its SKU by now, the
 * archived one gets another.
 */
export async function up(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP INDEX products_sku_key, product_variants_sku_key, products_all_created_idx,
      products_administration_search_idx;
    WITH live AS (
      SELECT sku FROM products WHERE deleted_at IS NULL
      UNION ALL SELECT sku FROM product_variants WHERE deleted_at IS NULL
    ), archived AS (
      SELECT id, sku, row_number() OVER (PARTITION BY sku ORDER BY deleted_at DESC, id) AS n
      FROM products WHERE deleted_at IS NOT NULL
    )
    UPDATE products p SET sku = p.sku || '-' || p.id FROM archived a
      WHERE a.id = p.id AND (a.n > 1 OR a.sku IN (SELECT sku FROM live));
    WITH archived AS (
      SELECT v.id, v.sku, row_number() OVER (PARTITION BY v.sku ORDER BY v.deleted_at DESC, v.id) AS n
      FROM product_variants v JOIN products p ON p.id = v.product_id AND p.deleted_at = v.deleted_at
    ), renamed AS (
      UPDATE product_variants v SET sku = v.sku || '-' || v.id FROM archived a
      WHERE a.id = v.id AND (a.n > 1 OR EXISTS (SELECT 1 FROM products p WHERE p.sku = a.sku)
        OR EXISTS (SELECT 1 FROM product_variants o WHERE o.sku = a.sku AND o.deleted_at IS NULL))
    )
    SELECT 1;
    UPDATE stock_items s SET withdrawn = false FROM product_variants v JOIN products p ON p.id = v.product_id
      WHERE s.variant_id = v.id AND p.deleted_at = v.deleted_at;
    UPDATE product_variants v SET deleted_at = NULL FROM products p
      WHERE p.id = v.product_id AND p.deleted_at = v.deleted_at;
    CREATE UNIQUE INDEX products_sku_key ON products (sku);
    CREATE UNIQUE INDEX product_variants_sku_key ON product_variants (sku) WHERE deleted_at IS NULL;
    CREATE INDEX products_all_created_idx ON products (created_at, id);
    CREATE INDEX products_administration_search_idx ON products USING gin ((name || E'\\n' || sku) gin_trgm_ops);
  `);
}

/** Goes back to what hides a deleted product, with its variants; the SKUs stay as they are. */
export async function down(query: QueryInterface): Promise<void> {
  await query.sequelize.query(`
    DROP INDEX products_sku_key, products_all_created_idx, products_administration_search_idx;
    UPDATE product_variants v SET deleted_at = p.deleted_at FROM products p
      WHERE p.id = v.product_id AND p.deleted_at IS NOT NULL AND v.deleted_at IS NULL;
    UPDATE stock_items s SET withdrawn = true FROM product_variants v
      WHERE s.variant_id = v.id AND v.deleted_at IS NOT NULL;
    CREATE UNIQUE INDEX products_sku_key ON products (sku) WHERE deleted_at IS NULL;
    CREATE INDEX products_all_created_idx ON products (created_at, id) WHERE deleted_at IS NULL;
    CREATE INDEX products_administration_search_idx ON products USING gin ((name || E'\\n' || sku) gin_trgm_ops)
      WHERE deleted_at IS NULL;
  `);
}

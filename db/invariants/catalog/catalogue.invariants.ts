import type { Invariant } from '../invariant';

/** Rules of the catalogue: counts are right, SKUs are unique, and deleted variants are withdrawn. */
export const catalogueInvariants: readonly Invariant[] = [
  {
    id: 'catalogue.products-are-counted',
    says: 'The counts of a category, with a tag and without, are the products that visitors may see in it.',
    sql: `SELECT concat_ws(' ', category_id, nullif(tag, '')) AS entity,
        format('counted %s, there are %s', coalesce(n.products, 0), coalesce(there.products, 0)) AS detail
      FROM catalogue_counts n FULL JOIN (
        SELECT coalesce(p.category_id, '00000000-0000-0000-0000-000000000000') AS category_id, t.tag, count(*) AS products
        FROM products p, LATERAL (SELECT DISTINCT unnest(p.tags || ''::text) AS tag) t
        WHERE p.status IN ('ACTIVE', 'OUT_OF_STOCK') GROUP BY 1, 2
      ) there USING (category_id, tag)
      WHERE coalesce(n.products, 0) <> coalesce(there.products, 0)`,
  },
  {
    id: 'catalogue.skus-name-one-thing',
    says: 'No two things that are sold, products or variants, have the same SKU.',
    sql: `SELECT sku AS entity, format('%s have it', count(*)) AS detail FROM (
        SELECT sku FROM products
        UNION ALL SELECT sku FROM product_variants WHERE deleted_at IS NULL
      ) sold GROUP BY sku HAVING count(*) > 1`,
  },
  {
    id: 'catalogue.deleted-variants-are-withdrawn',
    says: 'Goods are withdrawn exactly when they are of a deleted variant.',
    sql: `SELECT s.id AS entity, format('withdrawn: %s, deleted: %s', s.withdrawn, v.deleted_at) AS detail
      FROM stock_items s LEFT JOIN product_variants v ON v.id = s.variant_id
      WHERE s.withdrawn <> (v.deleted_at IS NOT NULL)`,
  },
];

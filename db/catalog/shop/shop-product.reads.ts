import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import { PATH_UP } from '../category/category-tree.reads';
import type { ProductVariant } from '../variant/product-variant.model';
import type { Product } from '../product/product.model';
import {
  PRODUCT_COLUMNS,
  PRODUCT_JOINS,
  type CategoryLink,
  type ProductRow,
} from './shop-product-columns.reads';
import { VISIBLE } from './shop-product-filter.reads';

type VariantRow = Pick<Attributes<ProductVariant>, 'id' | 'name' | 'sku' | 'priceMinor' | 'attributes'> & {
  /** Null when stock is not tracked. */
  stockQuantity: number | null;
};

type RelatedProductRow = Pick<Attributes<Product>, 'id' | 'name' | 'slug' | 'priceMinor' | 'currency'> & {
  thumbnailUrl: string | null;
};

/** A product as its own page shows it. */
export type ProductDetailRow = ProductRow &
  Pick<
    Attributes<Product>,
    'trackInventory' | 'weightGrams' | 'lengthMm' | 'widthMm' | 'heightMm' | 'attributes' | 'updatedAt'
  > & {
    variants: VariantRow[];
    /** From the top down to the product's own category; empty without one. */
    breadcrumb: CategoryLink[];
    relatedProducts: RelatedProductRow[];
  };

const MOST_RELATED = 4;

const BREADCRUMB = `(
  WITH RECURSIVE ${PATH_UP}
  SELECT json_agg(json_build_object('id', id, 'name', name, 'slug', slug) ORDER BY height DESC) FROM up)`;

const VARIANTS = `(
  SELECT coalesce(json_agg(json_build_object('id', v.id, 'name', v.name, 'sku', v.sku, 'priceMinor', v.price_minor,
    'stockQuantity', CASE WHEN p.track_inventory THEN coalesce(s.available, 0) END, 'attributes', v.attributes)
    ORDER BY v.position, v.id), '[]')
  FROM product_variants v LEFT JOIN stock_items s ON s.product_id = v.product_id AND s.variant_id = v.id
  WHERE v.product_id = p.id AND v.deleted_at IS NULL)`;

/** The best-selling products of the same category. */
const RELATED = `(
  SELECT coalesce(json_agg(json_build_object('id', r.id, 'name', r.name, 'slug', r.slug,
    'priceMinor', r.price_minor, 'currency', r.currency, 'thumbnailUrl', (
      SELECT i.thumbnail_url FROM product_images i WHERE i.product_id = r.id
      ORDER BY i.is_primary DESC, i.position, i.id LIMIT 1))
    ORDER BY r.units_sold_90d DESC, r.id DESC), '[]')
  FROM (
    SELECT o.* FROM products o
    WHERE o.category_id = p.category_id AND o.id <> p.id AND o.status IN ('ACTIVE', 'OUT_OF_STOCK')
    ORDER BY o.units_sold_90d DESC, o.id DESC LIMIT ${MOST_RELATED}
  ) r)`;

/** A product as its own page shows it, in one statement; null if visitors do not see it. */
export async function productDetail(db: Db, id: string): Promise<ProductDetailRow | null> {
  return firstRow<ProductDetailRow>(
    db,
    `SELECT ${PRODUCT_COLUMNS}, p.track_inventory, p.weight_grams,
       p.length_mm, p.width_mm, p.height_mm, p.attributes,
       p.updated_at, ${VARIANTS} AS variants, ${RELATED} AS related_products,
       CASE WHEN c.id IS NULL THEN '[]' ELSE ${BREADCRUMB} END AS breadcrumb
     FROM products p ${PRODUCT_JOINS}
     WHERE p.id = $1 AND ${VISIBLE}`,
    [id],
  );
}

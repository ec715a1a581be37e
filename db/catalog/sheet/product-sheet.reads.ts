import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import type { ProductStatus } from '../../../workflows/catalog/product/product.rules';
import type { ImageRow } from '../image/product-image.reads';
import type { ProductVariant } from '../variant/product-variant.model';
import type { StoredProduct } from '../product/administered-product.reads';
import type { Product } from '../product/product.model';
import type { CategoryLink, ProductRow } from '../shop/shop-product-columns.reads';

/** Units of a product itself or of a variant; null when stock is not tracked. */
interface Units {
  /** Units that may be ordered. */
  stockQuantity: number | null;
  /** Units that orders hold and that are not sent yet. */
  reservedQuantity: number | null;
}

/** A product with everything that its administrators set, whatever its status. */
export type ProductSheet = StoredProduct &
  Units &
  Pick<Attributes<Product>, 'deletedAt' | 'maxPerLine' | 'unitsSold90d'> & {
    ratings: ProductRow['ratings'];
    /** As visitors see it: OUT_OF_STOCK when the tracked stock has run out. */
    shopStatus: ProductStatus;
    /** Also one that visitors do not see. */
    category: CategoryLink | null;
    /** The primary one first. */
    images: ImageRow[];
    /** Those that are not deleted. */
    variants: (Pick<Attributes<ProductVariant>, 'id' | 'name' | 'sku' | 'priceMinor' | 'attributes'> &
      Units)[];
  };

const IMAGES = `(
  SELECT coalesce(json_agg(json_build_object('id', i.id, 'url', i.url, 'thumbnailUrl', i.thumbnail_url,
    'alt', i.alt, 'isPrimary', i.is_primary, 'position', i.position)
    ORDER BY i.is_primary DESC, i.position, i.id), '[]')
  FROM product_images i WHERE i.product_id = p.id)`;

const VARIANTS = `(
  SELECT coalesce(json_agg(json_build_object('id', v.id, 'name', v.name, 'sku', v.sku, 'priceMinor', v.price_minor,
    'attributes', v.attributes,
    'stockQuantity', CASE WHEN p.track_inventory THEN coalesce(s.available, 0) END,
    'reservedQuantity', CASE WHEN p.track_inventory THEN coalesce(s.reserved, 0) END)
    ORDER BY v.position, v.id), '[]')
  FROM product_variants v LEFT JOIN stock_items s ON s.product_id = v.product_id AND s.variant_id = v.id
  WHERE v.product_id = p.id AND v.deleted_at IS NULL)`;

/** A product with everything that its administrators set, in one statement; null if it does not exist. */
export function productSheet(db: Db, id: string): Promise<ProductSheet | null> {
  return firstRow<ProductSheet>(
    db,
    `SELECT p.id, p.slug, p.name, p.description, p.short_description, p.price_minor, p.compare_at_price_minor,
       p.currency, p.sku, p.category_id, p.status, p.track_inventory, p.weight_grams, p.length_mm, p.width_mm,
       p.height_mm, p.attributes, p.tags, p.commission_bp, p.career_points_bp, p.created_at, p.updated_at,
       p.deleted_at, p.max_per_line, p.ratings, p.units_sold_90d,
       CASE WHEN p.status = 'ACTIVE' AND p.track_inventory AND NOT EXISTS (
         SELECT 1 FROM stock_items a WHERE a.product_id = p.id AND a.available > 0 AND NOT a.withdrawn)
         THEN 'OUT_OF_STOCK' ELSE p.status END AS shop_status,
       CASE WHEN p.track_inventory THEN coalesce(s.available, 0) END AS stock_quantity,
       CASE WHEN p.track_inventory THEN coalesce(s.reserved, 0) END AS reserved_quantity,
       CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'name', c.name, 'slug', c.slug) END AS category,
       ${IMAGES} AS images, ${VARIANTS} AS variants
     FROM products p LEFT JOIN categories c ON c.id = p.category_id
       LEFT JOIN stock_items s ON s.product_id = p.id AND s.variant_id IS NULL
     WHERE p.id = $1`,
    [id],
  );
}

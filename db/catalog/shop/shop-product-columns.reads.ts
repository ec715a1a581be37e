import type { Attributes } from 'sequelize';
import type { ProductStatus } from '../../../workflows/catalog/product/product.rules';
import type { Category } from '../category/category.model';
import { HIDDEN_CATEGORIES } from '../category/category-tree.reads';
import type { ImageRow } from '../image/product-image.reads';
import type { Product } from '../product/product.model';

/** A category as a link to it. */
export type CategoryLink = Pick<Attributes<Category>, 'id' | 'name' | 'slug'>;

/** A product in the lists and on the pages of visitors; amounts in minor units, percentages in basis points. */
export type ProductRow = Pick<
  Attributes<Product>,
  | ('id' | 'name' | 'slug' | 'description' | 'shortDescription' | 'sku')
  | ('priceMinor' | 'compareAtPriceMinor' | 'currency' | 'tags')
  | ('commissionBp' | 'careerPointsBp' | 'createdAt')
> & {
  /** As visitors see it: OUT_OF_STOCK when the tracked stock has run out. */
  status: ProductStatus;
  /** Units that may be ordered, of all variants together; null when stock is not tracked. */
  stockQuantity: number | null;
  category: CategoryLink | null;
  /** The primary one first. */
  images: ImageRow[];
  /** The number of reviews with one star, two stars, … five. */
  ratings: [number, number, number, number, number];
};

/** The columns of a `ProductRow`, from the product `p`, its category `c` and its stock `stock`. */
export const PRODUCT_COLUMNS = `
  p.id, p.name, p.slug, p.description, p.short_description, p.sku,
  p.price_minor, p.compare_at_price_minor, p.currency,
  CASE WHEN p.status = 'ACTIVE' AND p.track_inventory AND stock.available = 0
    THEN 'OUT_OF_STOCK' ELSE p.status END AS status,
  CASE WHEN p.track_inventory THEN stock.available END AS stock_quantity,
  CASE WHEN c.id IS NOT NULL THEN json_build_object('id', c.id, 'name', c.name, 'slug', c.slug) END AS category,
  (SELECT coalesce(json_agg(json_build_object('id', i.id, 'url', i.url, 'thumbnailUrl', i.thumbnail_url,
      'alt', i.alt, 'isPrimary', i.is_primary, 'position', i.position)
      ORDER BY i.is_primary DESC, i.position, i.id), '[]')
    FROM product_images i WHERE i.product_id = p.id) AS images,
  p.tags, p.ratings, p.commission_bp, p.career_points_bp,
  p.created_at`;

/** The joins that `PRODUCT_COLUMNS` requires. Chosen: a category that visitors do not see is not shown. */
export const PRODUCT_JOINS = `
  LEFT JOIN categories c ON c.id = p.category_id AND c.id <> ALL(${HIDDEN_CATEGORIES})
  LEFT JOIN LATERAL (
    SELECT coalesce(sum(s.available), 0)::int AS available FROM stock_items s
    WHERE s.product_id = p.id AND NOT s.withdrawn
  ) stock ON true`;

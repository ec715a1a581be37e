import { rows, type Db } from '../sql';

/** A category as stored; `products` counts those that visitors may see in it alone, null when not asked for. */
export interface CategoryRow {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  imageUrl: string | null;
  parentId: string | null;
  position: number;
  products: number | null;
}

const COLUMNS = `c.id, c.name, c.slug, c.description, c.image_url AS "imageUrl", c.parent_id AS "parentId", c.position`;

/** All categories that are switched on, in the order in which siblings are shown. A shop has thousands at most. */
export async function activeCategories(
  db: Db,
  { countProducts }: { countProducts: boolean },
): Promise<CategoryRow[]> {
  return countProducts
    ? rows<CategoryRow>(
        db,
        `SELECT ${COLUMNS}, coalesce(counted.products, 0)::int AS products
         FROM categories c LEFT JOIN (
           SELECT p.category_id, count(*) AS products FROM products p
           WHERE p.status IN ('ACTIVE', 'OUT_OF_STOCK') GROUP BY p.category_id
         ) counted ON counted.category_id = c.id
         WHERE c.is_active ORDER BY c.position, lower(c.name), c.id`,
      )
    : rows<CategoryRow>(
        db,
        `SELECT ${COLUMNS}, NULL AS products FROM categories c
         WHERE c.is_active ORDER BY c.position, lower(c.name), c.id`,
      );
}

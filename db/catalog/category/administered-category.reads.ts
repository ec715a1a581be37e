import { firstRow, rows, type Db } from '../../sql/query';
import { SIBLINGS } from './shop-category.reads';

/** A category with all that administrators set of it. */
export interface CategoryRecord {
  id: string;
  name: string;
  slug: string;
  description: string | null;
  imageUrl: string | null;
  parentId: string | null;
  position: number;
  isActive: boolean;
  createdAt: Date;
  updatedAt: Date;
}

/** The same with its products: those that visitors may see, and all that are kept, in it alone. */
export interface CountedCategory extends CategoryRecord {
  products: number;
  allProducts: number;
}

const COLUMNS = `c.id, c.name, c.slug, c.description, c.image_url, c.parent_id, c.position,
  c.is_active, c.created_at, c.updated_at`;

export const categoryRecord = (db: Db, id: string): Promise<CategoryRecord | null> =>
  firstRow<CategoryRecord>(db, `SELECT ${COLUMNS} FROM categories c WHERE c.id = $1`, [id]);

/** Every category, switched on or not, in the order in which siblings are shown. */
export const allCategories = (db: Db): Promise<CountedCategory[]> =>
  rows<CountedCategory>(
    db,
    `SELECT ${COLUMNS}, coalesce(n.products, 0) AS products, coalesce(kept.products, 0) AS all_products
     FROM categories c LEFT JOIN catalogue_counts n ON n.category_id = c.id AND n.tag = '' LEFT JOIN (
       SELECT category_id, count(*)::int AS products FROM products WHERE deleted_at IS NULL GROUP BY category_id
     ) kept ON kept.category_id = c.id
     ORDER BY ${SIBLINGS}`,
  );

/** The first of `slug`, `slug-2`, `slug-3`, … that no category has. */
export async function freeSlug(db: Db, slug: string): Promise<string> {
  const taken = await rows<{ slug: string }>(
    db,
    `SELECT slug FROM categories WHERE slug = $1 OR starts_with(slug, $1 || '-')`,
    [slug],
  );
  const slugs = new Set(taken.map((row) => row.slug));
  if (!slugs.has(slug)) return slug;
  for (let number = 2; ; number++) if (!slugs.has(`${slug}-${number}`)) return `${slug}-${number}`;
}

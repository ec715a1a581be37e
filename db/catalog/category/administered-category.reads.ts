import type { Attributes } from 'sequelize';
import { rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { Category } from './category.model';
import { SIBLINGS } from './category-tree.reads';

/** A category as administrators see it. */
export type CategoryRecord = Attributes<Category>;

/** A category with the numbers of products in it, without its subcategories. */
export type CountedCategory = CategoryRecord & {
  /** Products that visitors see. */
  products: number;
  /** All products that are not deleted. */
  allProducts: number;
};

const COLUMNS = [
  'id',
  'name',
  'slug',
  'description',
  'imageUrl',
  'parentId',
  'position',
  'isActive',
  'createdAt',
  'updatedAt',
] as const;

/** A category, active or not; null if it does not exist. */
export const categoryRecord = (db: Db, id: string): Promise<CategoryRecord | null> =>
  table(db, Category).one(COLUMNS, { id });

/** All categories, active or not, in the order in which siblings are shown. */
export const allCategories = (db: Db): Promise<CountedCategory[]> =>
  rows<CountedCategory>(
    db,
    `SELECT c.*, coalesce(n.products, 0) AS products, coalesce(kept.products, 0) AS all_products
     FROM categories c LEFT JOIN catalogue_counts n ON n.category_id = c.id AND n.tag = '' LEFT JOIN (
       SELECT category_id, count(*)::int AS products FROM products WHERE deleted_at IS NULL GROUP BY category_id
     ) kept ON kept.category_id = c.id
     ORDER BY ${SIBLINGS}`,
  );

/** The first of `slug`, `slug-2`, `slug-3`, … that is free among categories. */
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

import { firstRow, rows, type Db } from '../../sql/query';
import { byName } from '../../sql/text/order';
import { HIDDEN_CATEGORIES, PATH_UP, SIBLINGS } from '../category/category-tree.reads';
import type { CategoryLink } from './shop-product-columns.reads';
import { VISIBLE } from './shop-product-filter.reads';

/** A category as visitors see it; `products` counts those in it without its subcategories, null if not requested. */
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

const COLUMNS = `c.id, c.name, c.slug, c.description, c.image_url, c.parent_id, c.position`;

/** All active categories, in the order in which siblings are shown. A shop has thousands at most. */
export async function activeCategories(
  db: Db,
  { countProducts }: { countProducts: boolean },
): Promise<CategoryRow[]> {
  return countProducts
    ? rows<CategoryRow>(
        db,
        `SELECT ${COLUMNS}, coalesce(n.products, 0) AS products
         FROM categories c LEFT JOIN catalogue_counts n ON n.category_id = c.id AND n.tag = ''
         WHERE c.is_active ORDER BY ${SIBLINGS}`,
      )
    : rows<CategoryRow>(
        db,
        `SELECT ${COLUMNS}, NULL AS products FROM categories c WHERE c.is_active ORDER BY ${SIBLINGS}`,
      );
}

/** A category as its own page shows it; counts and prices include all below it. */
export interface CategoryDetailRow extends CategoryLink {
  description: string | null;
  imageUrl: string | null;
  parent: CategoryLink | null;
  /** From the top down to the category itself. */
  breadcrumb: CategoryLink[];
  children: (CategoryLink & { productCount: number })[];
  /** Null without products. */
  minPriceMinor: number | null;
  maxPriceMinor: number | null;
  /** The most frequent first. */
  tags: { name: string; count: number }[];
}

/** Chosen: only the most frequent tags are listed; a visitor does not choose among more. */
const MOST_TAGS = 100;

const LINK = `'id', id, 'name', name, 'slug', slug`;

const CHILDREN = `(
  SELECT coalesce(json_agg(json_build_object(${LINK}, 'productCount', products) ORDER BY place), '[]')
  FROM (
    SELECT c.id, c.name, c.slug, coalesce(sum(n.products), 0)::int AS products,
      row_number() OVER (ORDER BY ${SIBLINGS}) AS place
    FROM below JOIN categories c ON c.id = below.child
      LEFT JOIN catalogue_counts n ON n.category_id = below.id AND n.tag = ''
    GROUP BY c.id
  ) children)`;

const TAGS = `(
  SELECT coalesce(json_agg(json_build_object('name', tag, 'count', products) ORDER BY products DESC, ${byName('tag')}), '[]')
  FROM (
    SELECT n.tag, sum(n.products)::int AS products
    FROM below JOIN catalogue_counts n ON n.category_id = below.id WHERE n.tag <> ''
    GROUP BY n.tag HAVING sum(n.products) > 0 ORDER BY 2 DESC, ${byName('n.tag')} LIMIT ${MOST_TAGS}
  ) tags)`;

/** Reads the first or last entry of an index for each category below, and no price in between. */
const PRICE = (end: 'min' | 'max') => `(
  SELECT ${end}((SELECT ${end}(p.price_minor) FROM products p WHERE p.category_id = below.id AND ${VISIBLE}))
  FROM below)`;

/** A category as its own page shows it, without its products, in one statement; null if visitors do not see it. */
export async function categoryDetail(db: Db, id: string): Promise<CategoryDetailRow | null> {
  return firstRow<CategoryDetailRow>(
    db,
    `WITH RECURSIVE below AS (
       SELECT id, NULL::uuid AS child FROM categories WHERE id = $1
       UNION SELECT c.id, coalesce(below.child, c.id)
       FROM categories c JOIN below ON c.parent_id = below.id WHERE c.is_active
     )
     SELECT c.id, c.name, c.slug, c.description, c.image_url, path.parent, path.breadcrumb,
       ${CHILDREN} AS children, ${TAGS} AS tags,
       ${PRICE('min')} AS min_price_minor, ${PRICE('max')} AS max_price_minor
     FROM categories c, LATERAL (
       WITH RECURSIVE ${PATH_UP}
       SELECT json_agg(json_build_object(${LINK}) ORDER BY height DESC) AS breadcrumb,
         (SELECT json_build_object(${LINK}) FROM up WHERE height = 1) AS parent
       FROM up
     ) path
     WHERE c.id = $1 AND c.id <> ALL(${HIDDEN_CATEGORIES})`,
    [id],
  );
}

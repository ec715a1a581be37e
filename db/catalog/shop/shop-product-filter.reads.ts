import { HIDDEN_CATEGORIES } from '../category/category-tree.reads';

/** Conditions on the products of the shop; those left out do not apply. */
export interface ProductFilter {
  /** The category and all below it. */
  categoryId?: string | undefined;
  /** As visitors see it. */
  status?: 'ACTIVE' | 'OUT_OF_STOCK' | undefined;
  minPriceMinor?: number | undefined;
  maxPriceMinor?: number | undefined;
  /** Words of name and description, with the operators of a web search. */
  search?: string | undefined;
  /** Products with any of them. */
  tags?: readonly string[] | undefined;
}

/** The condition for products that visitors see. A literal, so that partial indexes on products serve it. */
export const VISIBLE = `p.status IN ('ACTIVE', 'OUT_OF_STOCK')`;

/**
 * Two spellings of one condition: `each` is cheap for a single product and suits a page, `all` reads all stock once and
 * suits a count of the whole catalogue.
 */
const IN_STOCK = {
  each: `(SELECT true FROM stock_items s
    WHERE s.product_id = p.id AND s.available > 0 AND NOT s.withdrawn LIMIT 1) IS TRUE`,
  all: `EXISTS (SELECT 1 FROM stock_items s
    WHERE s.product_id = p.id AND s.available > 0 AND NOT s.withdrawn)`,
};

/** Ids of a category and of all below it that visitors see; empty if they do not see the category. */
export const WITH_SUBCATEGORIES = (id: string): string => `ARRAY(
  WITH RECURSIVE below AS (
    SELECT id FROM categories WHERE id = ${id} AND id <> ALL(${HIDDEN_CATEGORIES})
    UNION SELECT child.id FROM categories child JOIN below ON child.parent_id = below.id WHERE child.is_active
  ) SELECT id FROM below)`;

/** The conditions on products `p`, joined by AND; `bind` adds a value and returns its placeholder. */
export function conditionsOf(
  filter: ProductFilter,
  bind: (value: unknown) => string,
  stock: keyof typeof IN_STOCK,
): string {
  const { categoryId, status, minPriceMinor, maxPriceMinor, search, tags } = filter;
  const conditions = [VISIBLE];
  if (categoryId !== undefined)
    conditions.push(`p.category_id = ANY(${WITH_SUBCATEGORIES(`${bind(categoryId)}::uuid`)})`);
  if (status === 'ACTIVE')
    conditions.push(`p.status = 'ACTIVE' AND (NOT p.track_inventory OR ${IN_STOCK[stock]})`);
  if (status === 'OUT_OF_STOCK')
    conditions.push(`(p.status = 'OUT_OF_STOCK' OR (p.track_inventory AND NOT ${IN_STOCK[stock]}))`);
  if (minPriceMinor !== undefined) conditions.push(`p.price_minor >= ${bind(minPriceMinor)}::bigint`);
  if (maxPriceMinor !== undefined) conditions.push(`p.price_minor <= ${bind(maxPriceMinor)}::bigint`);
  if (tags !== undefined) conditions.push(`p.tags && ${bind(tags)}::text[]`);
  if (search !== undefined) conditions.push(...textConditions(search, bind));
  return conditions.join(' AND ');
}

/** The most words that are matched by their beginnings; a longer search is a quoted sentence. */
const MOST_PREFIXES = 6;

/**
 * A search as people type it, ignoring accents: stemmed English with quotes, OR and minus, or the beginnings of all its
 * words, so that «head» finds headphones. No text is an error; one without a word finds nothing.
 */
function textConditions(search: string, bind: (value: unknown) => string): string[] {
  const english = `websearch_to_tsquery('english', search_key(${bind(search)}))`;
  const words = search.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? [];
  // A search with quotes or minus is meant literally.
  const isPlain = !/"|(^|\s)-/.test(search) && words.length > 0 && words.length <= MOST_PREFIXES;
  // Chosen: a search that only excludes words finds nothing, as no index could serve it.
  if (!isPlain) return [`p.search @@ ${english}`, `querytree(${english}) NOT IN ('', 'T')`];
  const prefixes = words.map((word) => `'${word}':*`).join(' & ');
  return [`p.search @@ (${english} || to_tsquery('simple', search_key(${bind(prefixes)})))`];
}

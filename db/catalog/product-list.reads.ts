import { rows, type Db } from '../sql';
import { PRODUCT_COLUMNS, PRODUCT_JOINS, type ProductRow } from './product-columns.reads';
import { conditionsOf, type ProductFilter } from './product-filter.reads';

/** What a list of products is sorted by; products that are equal in it stand in the order of their ids. */
export interface ProductOrder {
  by: 'price' | 'name' | 'createdAt' | 'popularity';
  direction: 'asc' | 'desc';
}

/** Each is the leading column of an index. */
const SORT_KEYS: Record<ProductOrder['by'], string> = {
  price: 'p.price_minor',
  name: 'lower(p.name)',
  createdAt: 'p.created_at',
  popularity: 'p.units_sold_90d',
};

type ListRow = ProductRow & { total: number };

/** One page of the products that visitors may see, and how many there are in all: one statement. */
export async function listProducts(
  db: Db,
  filter: ProductFilter,
  order: ProductOrder,
  window: { limit: number; offset: number },
): Promise<{ total: number; products: ProductRow[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const text = `${pageAndTotal(filter, order, `LIMIT ${bind(window.limit)} OFFSET ${bind(window.offset)}`, bind)}
    SELECT total.total, ${PRODUCT_COLUMNS}
    FROM total LEFT JOIN page ON true LEFT JOIN products p ON p.id = page.id ${PRODUCT_JOINS}
    ORDER BY page.key ${order.direction}, page.id ${order.direction}`;
  const found = await rows<ListRow | { id: null; total: number }>(db, text, values);
  return { total: found[0]?.total ?? 0, products: found.filter((row): row is ListRow => row.id !== null) };
}

/** CTEs `page (id, key)` and `total (total)`. */
function pageAndTotal(
  filter: ProductFilter,
  { by, direction }: ProductOrder,
  limit: string,
  bind: (value: unknown) => string,
): string {
  const matching = (stock: 'each' | 'all') =>
    `SELECT p.id, ${SORT_KEYS[by]} AS key FROM products p WHERE ${conditionsOf(filter, bind, stock)}`;
  const sorted = `ORDER BY key ${direction}, id ${direction} ${limit}`;
  if (!isNarrow(filter))
    return `WITH page AS (${matching('each')} ${sorted}),
      total AS (SELECT count(*)::int AS total FROM (${matching('all')}) matching)`;
  return `WITH found AS MATERIALIZED (${matching('each')}),
    page AS (SELECT id, key FROM found ${sorted}), total AS (SELECT count(*)::int AS total FROM found)`;
}

/**
 * Whether to collect all that match, once, for page and total. How often words, tags and categories occur, and how
 * they lie in time, is a guess to the planner: it must not walk the whole sort index in the hope of meeting them.
 */
const isNarrow = ({ search, tags, categoryId }: ProductFilter): boolean =>
  search !== undefined || tags !== undefined || categoryId !== undefined;

import { rows, type Db } from '../../sql/query';
import { byName } from '../../sql/text/order';
import { PRODUCT_COLUMNS, PRODUCT_JOINS, type ProductRow } from './shop-product-columns.reads';
import { conditionsOf, VISIBLE, WITH_SUBCATEGORIES, type ProductFilter } from './shop-product-filter.reads';

/** The order of a list of products; equal ones are in the order of their ids. */
export interface ProductOrder {
  by: 'price' | 'name' | 'createdAt' | 'popularity';
  direction: 'asc' | 'desc';
}

/** Each is the leading column of an index. */
const SORT_KEYS: Record<ProductOrder['by'], string> = {
  price: 'p.price_minor',
  name: byName('p.name'),
  createdAt: 'p.created_at',
  popularity: 'p.units_sold_90d',
};

type ListRow = ProductRow & { total: number };
type Bind = (value: unknown) => string;

interface Window {
  limit: number;
  offset: number;
}

/**
 * The most requested pages have their limits written into the statement: with bound limits the server would not use a
 * generic plan but plan each time, which costs more than these pages do. Only a statement with a bound value is
 * prepared; the outermost LIMIT always is one.
 */
const USUAL = { limit: 20, pages: 5 };

/** One page of the products that visitors see, and their total number, in one statement. */
export async function listProducts(
  db: Db,
  filter: ProductFilter,
  order: ProductOrder,
  window: Window,
): Promise<{ total: number; products: ProductRow[] }> {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const text = `${pageAndTotal(filter, order, window, bind)}
    SELECT total.total, ${PRODUCT_COLUMNS}
    FROM total LEFT JOIN page ON true LEFT JOIN products p ON p.id = page.id ${PRODUCT_JOINS}
    ORDER BY page.key ${order.direction}, page.id ${order.direction} LIMIT ${bind(window.limit)}`;
  const found = await rows<ListRow | { id: null; total: number }>(db, text, values);
  return { total: found[0]?.total ?? 0, products: found.filter((row): row is ListRow => row.id !== null) };
}

/** CTEs `page (id, key)` and `total (total)`. */
function pageAndTotal(
  filter: ProductFilter,
  { by, direction }: ProductOrder,
  window: Window,
  bind: Bind,
): string {
  const { categoryId, ...others } = filter;
  const isPlain = Object.values(others).every((value) => value === undefined);
  const columns = `p.id, ${SORT_KEYS[by]} AS key`;
  const sorted = `ORDER BY key ${direction}, id ${direction}`;
  const isWhole = isPlain && categoryId === undefined;
  const isUsual = isWhole && window.limit === USUAL.limit && window.offset < USUAL.limit * USUAL.pages;
  const number = (value: number) => (isUsual ? String(value) : `${bind(value)}::bigint`);
  const [limit, offset] = [number(window.limit), number(window.offset)];
  const cut = `${sorted} LIMIT ${limit} OFFSET ${offset}`;
  const matching = (stock: 'each' | 'all') =>
    `SELECT ${columns} FROM products p WHERE ${conditionsOf(filter, bind, stock)}`;

  if (isWhole)
    return `WITH page AS (${matching('each')} ${cut}),
      total AS (SELECT ${COUNTED} AS total FROM catalogue_counts n WHERE n.tag = '')`;
  // From each category at most as many as the page could need, by an index in this order.
  if (isPlain && categoryId !== undefined)
    return `WITH branches AS (SELECT unnest(${WITH_SUBCATEGORIES(`${bind(categoryId)}::uuid`)}) AS id),
      page AS (SELECT first.id, first.key FROM branches, LATERAL (
        SELECT ${columns} FROM products p WHERE p.category_id = branches.id AND ${VISIBLE}
        ${sorted} LIMIT ${limit} + ${offset}) first ${cut}),
      total AS (SELECT ${COUNTED} AS total FROM branches JOIN catalogue_counts n ON n.category_id = branches.id AND n.tag = '')`;
  if (!isNarrow(filter))
    return `WITH page AS (${matching('each')} ${cut}),
      total AS (SELECT count(*)::int AS total FROM (${matching('all')}) matching)`;
  return `WITH found AS MATERIALIZED (${matching('each')}),
    page AS (SELECT id, key FROM found ${cut}), total AS (SELECT count(*)::int AS total FROM found)`;
}

/** The sum of the numbers that triggers on products count. */
const COUNTED = `coalesce(sum(n.products), 0)::int`;

/**
 * Returns true if all matches are to be collected once, for page and total. The planner only guesses how frequent words, tags and
 * categories are and where they are in the sort index, so it must not walk that whole index to find them.
 */
const isNarrow = ({ search, tags, categoryId }: ProductFilter): boolean =>
  search !== undefined || tags !== undefined || categoryId !== undefined;

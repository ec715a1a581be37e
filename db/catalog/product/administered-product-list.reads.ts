import { anywhere } from '../../sql/search-pattern';
import { firstRow, rows, type Db } from '../../sql/query';
import { KEPT_COLUMNS, type KeptProduct } from './administered-product.reads';
import type { ProductStatus } from './shop-product-filter.reads';

/** Which products; what is left out does not narrow. */
export interface AdministeredFilter {
  /** As people see it: ACTIVE and OUT_OF_STOCK heed the stock. */
  status?: ProductStatus | undefined;
  /** The category or any below it, switched on or not. */
  categoryId?: string | undefined;
  /** Part of the name or of the SKU, in any case. */
  search?: string | undefined;
}

/** A product as administrators see it in a list. */
export interface AdministeredProduct {
  id: string;
  name: string;
  sku: string;
  /** As people see it: OUT_OF_STOCK when the tracked stock has run out. */
  status: ProductStatus;
  priceMinor: number;
  compareAtPriceMinor: number | null;
  currency: string;
  /** What can still be promised, of all variants together; null when stock is not tracked. */
  stockQuantity: number | null;
  category: string | null;
  /** Orders that hold it, whatever became of them. */
  ordersCount: number;
  /** What its pieces cost in orders that were paid and not taken back, after discounts and without tax. */
  totalRevenueMinor: number;
  commissionBp: number;
  createdAt: Date;
  updatedAt: Date;
}

/** As the index products_administration_search_idx has it; only the very same expression is served by it. */
const SEARCHED = `(p.name || E'\\n' || p.sku)`;

const RUN_OUT = `(p.track_inventory AND NOT EXISTS (
  SELECT 1 FROM stock_items s WHERE s.product_id = p.id AND s.available > 0 AND NOT s.withdrawn))`;

const SALES = `LATERAL (
  SELECT count(DISTINCT o.id)::int AS orders,
    coalesce(sum(i.total_minor - i.discount_minor)
      FILTER (WHERE o.payment_status = 'PAID' AND o.status <> 'CANCELLED'), 0)::bigint AS revenue_minor
  FROM order_items i JOIN orders o ON o.id = i.order_id WHERE i.product_id = p.id) sales`;

/** One page of the products that the filter lets through, newest first; `total` counts all of them. */
export async function listAdministeredProducts(
  db: Db,
  filter: AdministeredFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ total: number; products: AdministeredProduct[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = conditionsOf(filter, bind);
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM products p WHERE ${where}`,
    values,
  );
  const products = await rows<AdministeredProduct>(
    db,
    `WITH p AS MATERIALIZED (
       SELECT p.* FROM products p WHERE ${where}
       ORDER BY p.created_at DESC, p.id DESC LIMIT ${bind(limit)} OFFSET ${bind(offset)})
     SELECT p.id, p.name, p.sku, p.price_minor, p.compare_at_price_minor,
       p.currency, CASE WHEN p.status = 'ACTIVE' AND ${RUN_OUT} THEN 'OUT_OF_STOCK' ELSE p.status END AS status,
       CASE WHEN p.track_inventory THEN (SELECT coalesce(sum(s.available), 0)::int FROM stock_items s
         WHERE s.product_id = p.id AND NOT s.withdrawn) END AS stock_quantity,
       c.name AS category, sales.orders AS orders_count, sales.revenue_minor AS total_revenue_minor,
       p.commission_bp, p.created_at, p.updated_at
     FROM p LEFT JOIN categories c ON c.id = p.category_id, ${SALES}
     ORDER BY p.created_at DESC, p.id DESC`,
    values,
  );
  return { total: counted?.total ?? 0, products };
}

/** A product as it is written into a file: its own stock is null when it is not tracked. */
export interface ExportedProduct extends KeptProduct {
  stockQuantity: number | null;
  /** The category's slug. */
  category: string | null;
}

/**
 * Some of the products that the filter lets through, in the order of their ids, beginning after one of them: what is
 * made or changed between two pages is in the file or not, but no product is in it twice.
 */
export function productsAfter(
  db: Db,
  filter: AdministeredFilter,
  after: string | null,
  limit: number,
): Promise<ExportedProduct[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = conditionsOf(filter, bind);
  const beginning = after === null ? 'true' : `p.id > ${bind(after)}`;
  return rows<ExportedProduct>(
    db,
    `SELECT ${KEPT_COLUMNS}, c.slug AS category, CASE WHEN p.track_inventory THEN coalesce(
         (SELECT s.available FROM stock_items s WHERE s.product_id = p.id AND s.variant_id IS NULL), 0)
       END AS stock_quantity
     FROM products p LEFT JOIN categories c ON c.id = p.category_id
     WHERE ${where} AND ${beginning} ORDER BY p.id LIMIT ${bind(limit)}`,
    values,
  );
}

function conditionsOf(
  { status, categoryId, search }: AdministeredFilter,
  bind: (value: unknown) => string,
): string {
  const conditions = ['true'];
  if (status === 'ACTIVE') conditions.push(`p.status = 'ACTIVE' AND NOT ${RUN_OUT}`);
  else if (status === 'OUT_OF_STOCK')
    conditions.push(`(p.status = 'OUT_OF_STOCK' OR (p.status = 'ACTIVE' AND ${RUN_OUT}))`);
  else if (status !== undefined) conditions.push(`p.status = ${bind(status)}`);
  if (categoryId !== undefined)
    conditions.push(`p.category_id IN (
      WITH RECURSIVE below AS (
        SELECT ${bind(categoryId)}::uuid AS id
        UNION SELECT child.id FROM categories child JOIN below ON child.parent_id = below.id
      ) SELECT id FROM below)`);
  if (search !== undefined && search !== '') conditions.push(`${SEARCHED} ILIKE ${bind(anywhere(search))}`);
  return conditions.join(' AND ');
}

/** Ids of categories by their slugs; what is no slug of one is not there. */
export async function categoryIdsBySlug(db: Db, slugs: readonly string[]): Promise<Map<string, string>> {
  const found = await rows<{ id: string; slug: string }>(
    db,
    'SELECT id, slug FROM categories WHERE slug = ANY ($1::text[])',
    [[...new Set(slugs)]],
  );
  return new Map(found.map(({ id, slug }) => [slug, id]));
}

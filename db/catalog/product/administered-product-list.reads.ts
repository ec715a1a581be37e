import { anywhere, contains } from '../../sql/text/search';
import { firstRow, rows, type Db } from '../../sql/query';
import type { Attributes } from 'sequelize';
import type { ProductStatus } from '../../../workflows/catalog/product/product.rules';
import type { StoredProduct } from './administered-product.reads';
import type { Product } from './product.model';

/** Conditions on products; those left out do not apply. */
export interface AdministeredFilter {
  /** As visitors see it: ACTIVE and OUT_OF_STOCK depend on the stock. */
  status?: ProductStatus | undefined;
  /** The category and all below it, active or not. */
  categoryId?: string | undefined;
  /** Part of the name or SKU, ignoring case and accents. */
  search?: string | undefined;
}

/** A product as administrators see it in a list. */
export type AdministeredProduct = Pick<
  Attributes<Product>,
  | ('id' | 'name' | 'sku' | 'priceMinor' | 'compareAtPriceMinor')
  | ('currency' | 'commissionBp' | 'createdAt' | 'updatedAt')
> & {
  /** As visitors see it: OUT_OF_STOCK when the tracked stock has run out. */
  status: ProductStatus;
  /** Units that may be ordered, of all variants together; null when stock is not tracked. */
  stockQuantity: number | null;
  /** The category's name. */
  category: string | null;
  /** Orders of any status that contain it. */
  ordersCount: number;
  /** The price of its units in paid orders that were not cancelled, after discounts and without tax. */
  totalRevenueMinor: number;
};

/** The expression of the index products_administration_search_idx. */
const SEARCHED = `(p.name || E'\\n' || p.sku)`;

const RUN_OUT = `(p.track_inventory AND NOT EXISTS (
  SELECT 1 FROM stock_items s WHERE s.product_id = p.id AND s.available > 0 AND NOT s.withdrawn))`;

const SALES = `LATERAL (
  SELECT count(DISTINCT o.id)::int AS orders,
    coalesce(sum(i.total_minor - i.discount_minor)
      FILTER (WHERE o.payment_status = 'PAID' AND o.status <> 'CANCELLED'), 0)::bigint AS revenue_minor
  FROM order_items i JOIN orders o ON o.id = i.order_id WHERE i.product_id = p.id) sales`;

/** One page of the products that match, newest first; `total` counts all that match. */
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

/** The columns of a `StoredProduct`, from the product `p`. */
const KEPT_COLUMNS = `p.id, p.slug, p.name, p.description, p.short_description, p.price_minor, p.compare_at_price_minor,
  p.currency, p.sku, p.category_id, p.status, p.track_inventory, p.weight_grams, p.length_mm, p.width_mm, p.height_mm,
  p.attributes, p.tags, p.commission_bp, p.career_points_bp, p.created_at, p.updated_at`;

/** A product as an exported file has it. */
export type ExportedProduct = StoredProduct & {
  /** Units of the product itself, without its variants; null when stock is not tracked. */
  stockQuantity: number | null;
  /** The category's slug. */
  category: string | null;
};

/**
 * One page of the products that match, by id and beginning after the id `after`. A product that is created or changed
 * between two pages may be missing, but none is on two pages.
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
  if (search !== undefined && search !== '') conditions.push(contains(SEARCHED, bind(anywhere(search))));
  return conditions.join(' AND ');
}

/** The slug of a category; null for an unknown one. */
export async function slugOfCategory(db: Db, id: string): Promise<string | null> {
  const category = await firstRow<{ slug: string }>(db, 'SELECT slug FROM categories WHERE id = $1', [id]);
  return category?.slug ?? null;
}

/** Ids of categories by slug; slugs without a category are left out. */
export async function categoryIdsBySlug(db: Db, slugs: readonly string[]): Promise<Map<string, string>> {
  const found = await rows<{ id: string; slug: string }>(
    db,
    'SELECT id, slug FROM categories WHERE slug = ANY ($1::text[])',
    [[...new Set(slugs)]],
  );
  return new Map(found.map(({ id, slug }) => [slug, id]));
}

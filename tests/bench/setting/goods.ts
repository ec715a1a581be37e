import type { Client as Postgres } from 'pg';

/** The number of products in one series, which is what a measured search finds. */
const SERIES_SIZE = 20;
const CATEGORIES = 40;
/** The number of top categories; the others are below them. */
const TOP_CATEGORIES = 8;
const TAGS = 50;
const ADJECTIVES = [
  'Brass',
  'Copper',
  'Oak',
  'Linen',
  'Slate',
  'Amber',
  'Ivory',
  'Cobalt',
  'Walnut',
  'Pewter',
];
const NOUNS = ['Lamp', 'Chair', 'Kettle', 'Speaker', 'Tent', 'Desk', 'Clock', 'Mirror', 'Basket', 'Blanket'];

const DESCRIPTION =
  'Made to be used every day and repaired when it breaks. The parts are screwed, not glued, and each of them can be ' +
  'ordered alone. Delivered with instructions, a spare set of fittings and a guarantee of five years.';

/** Ids as the platform makes them: UUIDs of version 7 that rise with the number. */
const BENCH_ID = `
  CREATE FUNCTION bench_id(kind int, n int) RETURNS uuid LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN (
    lpad(to_hex(1750000000000 + n), 12, '0') || '7' || lpad(to_hex(kind), 3, '0') || '8' ||
    substr(md5(kind || ':' || n), 1, 15))::uuid`;

const KIND = { category: 16, product: 17, image: 18, stock: 19, movement: 20, method: 21, zone: 22 } as const;

/** Writes the rows that precede products: categories, a shipping method to Germany, and its tax. */
export async function openShop(sql: Postgres): Promise<{ methodId: string }> {
  await sql.query(BENCH_ID);
  await sql.query(
    `INSERT INTO categories (id, parent_id, name, slug, position, created_at, updated_at)
     SELECT bench_id(${KIND.category}, n),
       CASE WHEN n >= ${TOP_CATEGORIES} THEN bench_id(${KIND.category}, n % ${TOP_CATEGORIES}) END,
       'Category ' || n, 'category-' || n, n, now(), now()
     FROM generate_series(0, ${CATEGORIES - 1}) n`,
  );
  await sql.query(`INSERT INTO tax_rates (country, rate_bp) VALUES ('DE', 1900)`);
  await sql.query(`INSERT INTO shipping_zones (id, name) VALUES (bench_id(${KIND.zone}, 0), 'Germany')`);
  await sql.query(
    `INSERT INTO shipping_zone_countries (country, zone_id) VALUES ('DE', bench_id(${KIND.zone}, 0))`,
  );
  const { rows } = await sql.query<{ methodId: string }>(
    `INSERT INTO shipping_methods (id, name, carrier, min_days, max_days, currency, created_at, updated_at)
     VALUES (bench_id(${KIND.method}, 0), 'Parcel', 'DHL', 2, 4, 'USD', now(), now()) RETURNING id AS "methodId"`,
  );
  await sql.query(
    `INSERT INTO shipping_rates (method_id, zone_id, base_minor, per_kg_minor)
     VALUES (bench_id(${KIND.method}, 0), bench_id(${KIND.zone}, 0), 500, 100)`,
  );
  return rows[0]!;
}

/** Adds the products numbered `from` to `to` (both included), each with two images and a stock of its own. */
export async function addProducts(sql: Postgres, from: number, to: number): Promise<void> {
  const each = `FROM generate_series($1::int, $2::int) n`;
  const range = [from, to];
  await sql.query(
    `INSERT INTO products (id, category_id, name, slug, sku, description, short_description, price_minor, status,
       weight_grams, tags, attributes, commission_bp, career_points_bp, units_sold_90d, created_at, updated_at)
     SELECT bench_id(${KIND.product}, n), bench_id(${KIND.category}, n % ${CATEGORIES}),
       ($3::text[])[1 + n % 10] || ' ' || ($4::text[])[1 + n / ${SERIES_SIZE} % 10] || ' S' ||
         lpad((n / ${SERIES_SIZE})::text, 6, '0'),
       'product-' || n, 'SKU-' || n, $5, 'Repairable', 1000 + n * 7919 % 90000, 'ACTIVE', 1000,
       ARRAY['tag' || n % ${TAGS}, 'home'], '{"material":"mixed","origin":"DE"}', 1000, 10000, n % 500,
       now() - make_interval(mins => n), now() ${each}`,
    [...range, ADJECTIVES, NOUNS, DESCRIPTION],
  );
  await sql.query(
    `INSERT INTO product_images (id, product_id, url, thumbnail_url, alt, is_primary, position)
     SELECT bench_id(${KIND.image}, n * 2 + i), bench_id(${KIND.product}, n), 'https://images.example.com/' || n || '-' || i ||
       '.jpg', 'https://images.example.com/' || n || '-' || i || '-small.jpg', NULL, i = 0, i ${each},
       generate_series(0, 1) i`,
    range,
  );
  await sql.query(
    `INSERT INTO stock_items (id, product_id, available, reserved, updated_at)
     SELECT bench_id(${KIND.stock}, n), bench_id(${KIND.product}, n), 1000000, 0, now() ${each}`,
    range,
  );
  await sql.query(
    `INSERT INTO stock_movements (id, stock_item_id, kind, available_delta, reserved_delta, created_at)
     SELECT bench_id(${KIND.movement}, n), bench_id(${KIND.stock}, n), 'INITIAL', 1000000, 0, now() ${each}`,
    range,
  );
  // As autovacuum does while a shop grows.
  await sql.query('VACUUM ANALYZE products, product_images, stock_items, stock_movements, catalogue_counts');
}

/** Ids of products, spread over the whole shop. */
export async function someProducts(sql: Postgres, count: number): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    'SELECT id FROM products ORDER BY md5(id::text) LIMIT $1',
    [count],
  );
  return rows.map(({ id }) => id);
}

/** Words that find the products of one series each. */
export const seriesSearches = (products: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => {
    const series = Math.floor((index * Math.floor(products / SERIES_SIZE)) / count);
    return `${NOUNS[series % NOUNS.length]!.toLowerCase()} s${String(series).padStart(6, '0')}`;
  });

/** Ids of all categories, those at the top first. */
export async function categoryIds(sql: Postgres): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>('SELECT id FROM categories ORDER BY position');
  return rows.map(({ id }) => id);
}

/** Filters that some products of a category at the top, and of those below it, fit: prices and two tags. */
export async function someFilters(sql: Postgres, count: number): Promise<string[]> {
  const tops = (await categoryIds(sql)).slice(0, TOP_CATEGORIES);
  return Array.from({ length: count }, (_, index) => {
    const query = new URLSearchParams({
      categoryId: tops[index % TOP_CATEGORIES]!,
      minPrice: String(100 + (index % 7) * 10),
      maxPrice: String(500 + (index % 11) * 10),
      tags: `tag${index % TAGS},tag${(index + 1) % TAGS}`,
    });
    return query.toString();
  });
}

import { slugOf, slugRoot } from '../../../workflows/catalog/slug.rules';
import { execute, firstRow, type Tx } from '../../sql/query';

/** Any numbers, as long as no other advisory lock of two keys begins with them. */
const SKU_LOCK = 7_310_217;
const SLUG_LOCK = 7_310_218;

/** The highest number that a slug gets; products of one name beyond it get their id instead. */
const MOST_COUNTED = 100;

/**
 * Reserves a SKU until the end of the transaction; false if another product or variant has it. An archived product
 * keeps its SKU; a deleted variant does not.
 */
export async function claimSku(tx: Tx, sku: string): Promise<boolean> {
  await execute(tx, 'SELECT pg_advisory_xact_lock($1, hashtext(code_key($2)))', [SKU_LOCK, sku]);
  // A separate statement, so that it sees what the previous holder of the lock has committed.
  const taken = await firstRow(
    tx,
    `SELECT 1 AS one FROM products WHERE code_key(sku) = code_key($1)
     UNION ALL SELECT 1 FROM product_variants WHERE code_key(sku) = code_key($1) AND deleted_at IS NULL LIMIT 1`,
    [sku],
  );
  return taken === null;
}

/** True if two SKUs are one, however they are written. */
export async function isSameSku(tx: Tx, one: string, other: string): Promise<boolean> {
  const found = await firstRow<{ same: boolean }>(tx, 'SELECT code_key($1) = code_key($2) AS same', [
    one,
    other,
  ]);
  return found?.same === true;
}

/**
 * The slug of a new product: its name, with -2, -3 and so on if others have it, reserved until the end of the
 * transaction. After too many products of one name it ends with `id` instead of a number.
 */
export async function freeSlug(tx: Tx, name: string, id: string): Promise<string> {
  const slug = slugOf(name);
  await execute(tx, 'SELECT pg_advisory_xact_lock($1, hashtext($2))', [SLUG_LOCK, slugRoot(slug)]);
  const free = await firstRow<{ slug: string }>(
    tx,
    `SELECT candidate.slug
     FROM generate_series(1, ${MOST_COUNTED}) AS n,
       LATERAL (SELECT CASE n WHEN 1 THEN $1::text ELSE $1 || '-' || n END AS slug) AS candidate
     WHERE NOT EXISTS (SELECT 1 FROM products p WHERE p.slug = candidate.slug)
     ORDER BY n LIMIT 1`,
    [slug],
  );
  return free?.slug ?? `${slug}-${id}`;
}

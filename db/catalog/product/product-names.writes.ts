import { slugOf, slugRoot } from '../../../workflows/catalog/slug.rules';
import { refusal } from '../../../workflows/errors';
import { execute, firstRow, type Tx } from '../../sql/query';

/** Any numbers, as long as no other advisory lock of two keys begins with them. */
const SKU_LOCK = 7_310_217;
const SLUG_LOCK = 7_310_218;

/** Past so many products of one name, an address no longer counts them. */
const MOST_COUNTED = 100;

/**
 * Makes sure until the end of the transaction that nothing else in the shop, product or variant, has this SKU or gets
 * it. Refuses with SKU_ALREADY_EXISTS. An archived product keeps its SKU; a deleted variant does not.
 */
export async function claimSku(tx: Tx, sku: string): Promise<void> {
  await execute(tx, 'SELECT pg_advisory_xact_lock($1, hashtext($2))', [SKU_LOCK, sku]);
  // A statement of its own: it sees what the one who held the lock has committed.
  const taken = await firstRow(
    tx,
    `SELECT 1 AS one FROM products WHERE sku = $1
     UNION ALL SELECT 1 FROM product_variants WHERE sku = $1 AND deleted_at IS NULL LIMIT 1`,
    [sku],
  );
  if (taken)
    throw refusal('SKU_ALREADY_EXISTS', 'Another product or variant has this SKU.', {
      sku: ['belongs to another product or variant'],
    });
}

/**
 * The address of a new product: its name, with -2, -3 and so on where others have it. Nobody else gets it before the
 * end of the transaction. `id` tells products apart that are too many to be counted.
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

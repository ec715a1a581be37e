import type { Attributes } from 'sequelize';
import { slugRoot } from '../../../workflows/catalog/slug.rules';
import { execute, firstRow, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import type { StrategyRecord } from './administered-strategy.reads';
import { Strategy } from './strategy.model';

/** Any number, as long as no other advisory lock of two keys begins with it. */
const SLUG_LOCK = 7_310_220;
/** The highest number that a slug gets; strategies of one name beyond it get their id instead. */
const MOST_COUNTED = 100;

/**
 * The slug of a new strategy: this one, with -2, -3 and so on if others have it, reserved until the end of the
 * transaction. After too many of one name it ends with `id` instead of a number.
 */
export async function freeStrategySlug(tx: Tx, slug: string, id: string): Promise<string> {
  await execute(tx, 'SELECT pg_advisory_xact_lock($1, hashtext($2))', [SLUG_LOCK, slugRoot(slug)]);
  const free = await firstRow<{ slug: string }>(
    tx,
    `SELECT candidate.slug
     FROM generate_series(1, ${MOST_COUNTED}) AS n,
       LATERAL (SELECT CASE n WHEN 1 THEN $1::text ELSE $1 || '-' || n END AS slug) AS candidate
     WHERE NOT EXISTS (SELECT 1 FROM investment_strategies s WHERE s.slug = candidate.slug)
     ORDER BY n LIMIT 1`,
    [slug],
  );
  return free?.slug ?? `${slug}-${id}`;
}

/** A new strategy: what administrators set, and what stays as it was created. */
export type NewStrategyRow = StrategyRecord &
  Pick<Attributes<Strategy>, 'id' | 'slug' | 'providerCode' | 'strategyCode' | 'currency' | 'createdAt'>;

export const insertStrategy = (tx: Tx, strategy: NewStrategyRow): Promise<void> =>
  table(tx, Strategy).insert({ ...strategy, updatedAt: strategy.createdAt });

/** Sets the given fields of a strategy. */
export async function updateStrategy(
  tx: Tx,
  id: string,
  changes: Partial<StrategyRecord>,
  at: Date,
): Promise<void> {
  await table(tx, Strategy).update({ ...changes, updatedAt: at }, { id });
}

/** Sets the capacity of a strategy, in minor units (null: unlimited), unless more is reserved already; false if so. */
export async function setCapacity(
  tx: Tx,
  id: string,
  totalCapacityMinor: number | null,
  at: Date,
): Promise<boolean> {
  const changed = await execute(
    tx,
    `UPDATE investment_strategies SET total_capacity_minor = $2::bigint, updated_at = $3
     WHERE id = $1 AND ($2::bigint IS NULL OR reserved_minor <= $2::bigint)`,
    [id, totalCapacityMinor, at],
  );
  return changed === 1;
}

/** Sets the picture of a strategy; null for none. */
export async function setStrategyPicture(
  tx: Tx,
  id: string,
  { imageUrl, imageMediaName }: Pick<Attributes<Strategy>, 'imageUrl' | 'imageMediaName'>,
  at: Date,
): Promise<void> {
  await table(tx, Strategy).update({ imageUrl, imageMediaName, updatedAt: at }, { id });
}

import { execute, firstRow, type Tx } from '../../sql/query';
import { gatherMovements, type Comparison } from './comparison/compared-movements';
import { findDifferences } from './comparison/found-differences';

/** True if the difference `d` that is found again is what a person has explained: the same amounts. */
const IS_EXPLAINED = `d.resolved_by IS NOT NULL AND (d.our_minor, d.our_currency, d.their_minor, d.their_currency)
  IS NOT DISTINCT FROM (excluded.our_minor, excluded.our_currency, excluded.their_minor, excluded.their_currency)`;

const REOPENED = ['resolved_at', 'resolved_by', 'note']
  .map((column) => `${column} = CASE WHEN ${IS_EXPLAINED} THEN d.${column} END`)
  .join(', ');

/** The key of the difference `row`, by which it is the same when it is found again; comparable, so that many are matched by a hash. */
const keyOf = (row: string): string =>
  `(${row}.kind, coalesce(${row}.movement_kind, ''), coalesce(${row}.provider_id, ''), coalesce(${row}.our_id, ''))`;

/**
 * Compares a day: records new differences, refreshes those that are found again, and resolves open ones of the provider, of
 * whichever day, that are gone. One that a person has explained stays so while its amounts stay.
 */
export async function compareWithProvider(tx: Tx, comparison: Comparison): Promise<void> {
  const { runId, provider, at } = comparison;
  await gatherMovements(tx, comparison);
  await findDifferences(tx, comparison);
  await execute(
    tx,
    `INSERT INTO reconciliation_differences AS d (id, run_id, provider, day, kind, movement_kind, provider_id, our_id,
         our_minor, our_currency, their_minor, their_currency, found_at, last_seen_at)
       SELECT gen_random_uuid(), $1, $2, f.day, f.kind, f.movement_kind, f.provider_id, f.our_id, f.our_minor,
           f.our_currency, f.their_minor, f.their_currency, $3, $3
         FROM found_differences f
     ON CONFLICT ON CONSTRAINT reconciliation_differences_key DO UPDATE SET last_seen_at = excluded.last_seen_at,
       our_minor = excluded.our_minor, our_currency = excluded.our_currency, their_minor = excluded.their_minor,
       their_currency = excluded.their_currency, ${REOPENED}`,
    [runId, provider, at],
  );
  await execute(
    tx,
    `UPDATE reconciliation_differences d SET resolved_at = $1 FROM open_differences o
      WHERE d.id = o.id AND NOT EXISTS (SELECT 1 FROM unjudged_differences u WHERE u.id = o.id)
        AND NOT EXISTS (SELECT 1 FROM found_differences f WHERE ${keyOf('f')} = ${keyOf('o')})`,
    [at],
  );
}

/** The differences with a provider that are open. */
export async function openDifferences(tx: Tx, provider: string): Promise<number> {
  const found = await firstRow<{ open: number }>(
    tx,
    'SELECT count(*)::int AS open FROM reconciliation_differences WHERE provider = $1 AND resolved_at IS NULL',
    [provider],
  );
  return found?.open ?? 0;
}

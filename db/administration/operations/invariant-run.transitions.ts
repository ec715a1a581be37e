import type { Broken } from '../../invariants/invariant';
import { execute, type Tx } from '../../sql/query';

/** Long enough to see since when something has been broken. */
const KEPT = `interval '30 days'`;

/**
 * Keeps what a check found, under its moment, and forgets checks of a month ago. Kept before: nothing. `whole`: it looked
 * at every process, and not only at what changed.
 */
export async function keepInvariantRun(
  tx: Tx,
  at: Date,
  broken: readonly Broken[],
  whole: boolean,
): Promise<void> {
  await execute(
    tx,
    `INSERT INTO invariant_runs (checked_at, broken, whole) VALUES ($1, $2::jsonb, $3)
     ON CONFLICT (checked_at) DO NOTHING`,
    [at, JSON.stringify(broken), whole],
  );
  await execute(tx, `DELETE FROM invariant_runs WHERE checked_at < $1::timestamptz - ${KEPT}`, [at]);
}

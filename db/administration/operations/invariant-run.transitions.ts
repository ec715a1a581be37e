import type { Broken } from '../../invariants/invariant';
import { execute, type Tx } from '../../sql/query';

/** Retention of checks, long enough to see since when something has been broken. */
const KEPT = `interval '30 days'`;

/**
 * Stores the findings of the check at `at`, once, and deletes checks older than a month. `whole`: the check covered every
 * process, not only changed ones.
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

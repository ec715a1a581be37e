import type { Broken } from '../invariants/invariant';
import { execute, type Tx } from '../sql';

/** Long enough to see since when something has been broken. */
const KEPT = `interval '30 days'`;

/** Keeps what a check found, under its moment, and forgets checks of a month ago. Kept before: nothing. */
export async function keepInvariantRun(tx: Tx, at: Date, broken: readonly Broken[]): Promise<void> {
  await execute(
    tx,
    'INSERT INTO invariant_runs (checked_at, broken) VALUES ($1, $2::jsonb) ON CONFLICT (checked_at) DO NOTHING',
    [at, JSON.stringify(broken)],
  );
  await execute(tx, `DELETE FROM invariant_runs WHERE checked_at < $1::timestamptz - ${KEPT}`, [at]);
}

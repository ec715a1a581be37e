import type { Broken } from '../invariants/invariant';
import { firstRow, type Db } from '../sql';

export interface InvariantRunView {
  checkedAt: Date;
  broken: Broken[];
}

/** The newest check of the invariants; null before the first. */
export function latestInvariantRun(db: Db): Promise<InvariantRunView | null> {
  return firstRow<InvariantRunView>(
    db,
    `SELECT checked_at AS "checkedAt", broken FROM invariant_runs ORDER BY checked_at DESC LIMIT 1`,
  );
}

import type { Broken } from '../../invariants/invariant';
import { firstRow, type Db } from '../../sql/query';

export interface InvariantRunView {
  checkedAt: Date;
  broken: Broken[];
}

/** The newest check of the invariants; null before the first. */
export function latestInvariantRun(db: Db): Promise<InvariantRunView | null> {
  return firstRow<InvariantRunView>(
    db,
    `SELECT checked_at, broken FROM invariant_runs ORDER BY checked_at DESC LIMIT 1`,
  );
}

/** Which rows and processes a check looks at. */
export interface ProcessCheckScope {
  /** What changed from then on; null: everything. */
  since: Date | null;
  /** Entities to look at whenever they changed, because the last check found them broken. */
  recheck: string[];
}

/** How far back a check looks at what changed, and how often one looks at everything. */
const RECENT = `interval '2 hours'`;
const WHOLE_EVERY = `interval '6 days 12 hours'`;

/**
 * What the check at `at` has to look at: what changed in the last two hours, or since the last check where that is longer
 * ago, and what that check found broken; everything once a week, and where there was no check.
 */
export async function processCheckScope(db: Db, at: Date): Promise<ProcessCheckScope> {
  const found = await firstRow<ProcessCheckScope>(
    db,
    `SELECT CASE WHEN EXISTS (SELECT 1 FROM invariant_runs
                               WHERE whole AND checked_at > $1::timestamptz - ${WHOLE_EVERY})
              THEN least($1::timestamptz, last.checked_at) - ${RECENT} END AS since,
            ARRAY(SELECT found ->> 'entity' FROM jsonb_array_elements(last.broken) AS found
                   WHERE found ->> 'invariant' LIKE 'processes.%') AS recheck
       FROM (SELECT checked_at, broken FROM invariant_runs ORDER BY checked_at DESC LIMIT 1) AS last`,
    [at],
  );
  return found ?? { since: null, recheck: [] };
}

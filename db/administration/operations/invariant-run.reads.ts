import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { InvariantRun } from './invariant-run.model';

export type InvariantRunView = Pick<Attributes<InvariantRun>, 'checkedAt' | 'broken'>;

/** The newest check of the invariants; null before the first. */
export const latestInvariantRun = (db: Db): Promise<InvariantRunView | null> =>
  table(db, InvariantRun).one(['checkedAt', 'broken'], {}, { order: [['checkedAt', 'DESC']] });

/** The rows and processes that a check covers. */
export interface ProcessCheckScope {
  /** Changes since this moment; null: everything. */
  since: Date | null;
  /** Entities to check regardless of their last change, because the last check found them broken. */
  recheck: string[];
}

/** The period of changes that a check covers, and the interval of checks that cover everything. */
const RECENT = `interval '2 hours'`;
const WHOLE_EVERY = `interval '6 days 12 hours'`;

/**
 * The scope of the check at `at`: changes of the last two hours, or since the last check if that is longer ago, and the
 * findings of that check; everything once a week and at the first check.
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

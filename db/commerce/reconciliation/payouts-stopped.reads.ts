import { restoreIsUnreleased } from '../../administration/restore/restore.reads';
import type { Policy } from '../../policy/config';
import { firstRow, rows, type Db, type Tx } from '../../sql/query';

type StoppingPolicy = Pick<Policy, 'reconciliationStopsPayouts'>;

/**
 * True while a restore of the database is not released, whatever the policy says, or a difference stops payouts: money that is
 * sent out then could be money that was sent already, or is not there.
 */
export const payoutsAreStopped = async (db: Db, policy: StoppingPolicy): Promise<boolean> =>
  (await restoreIsUnreleased(db)) || (await differencesStopPayouts(db, policy));

/** True while a difference with a provider is open, unless the policy lets payouts go on. */
export async function differencesStopPayouts(
  db: Db,
  { reconciliationStopsPayouts }: StoppingPolicy,
): Promise<boolean> {
  if (!reconciliationStopsPayouts) return false;
  const open = await firstRow(
    db,
    'SELECT 1 FROM reconciliation_differences WHERE resolved_at IS NULL LIMIT 1',
  );
  return open !== null;
}

/** Days back for which one that is not compared is shown. */
const SHOWN_DAYS = 28;

/** The state of the comparison with providers. */
export interface ReconciliationFigures {
  /** Open differences, by kind; each kind has a row. */
  differences: { kind: string; differences: number }[];
  /** Of each provider: the time since the beginning of the first day of the last weeks that is not compared. */
  providers: { provider: string; behindSeconds: number }[];
}

/** Reads them by the index of open differences; of runs, the few that there are. */
export const reconciliationFigures = async (tx: Tx): Promise<ReconciliationFigures> => ({
  differences: await rows(
    tx,
    `SELECT kinds.kind, count(d.id)::int AS differences
       FROM unnest(ARRAY['MISSING_HERE', 'MISSING_THERE', 'AMOUNT', 'CURRENCY', 'TWICE', 'CLEARING']) AS kinds (kind)
       LEFT JOIN reconciliation_differences d ON d.kind = kinds.kind AND d.resolved_at IS NULL
      GROUP BY kinds.kind ORDER BY kinds.kind`,
  ),
  providers: await rows(
    tx,
    `SELECT known.provider, greatest(extract(epoch FROM now() - (coalesce((
         SELECT min(named.day)::date FROM generate_series(greatest(known.first, today.day - ${SHOWN_DAYS}), today.day - 1,
           interval '1 day') AS named (day)
         WHERE NOT EXISTS (SELECT 1 FROM provider_reconciliations r
           WHERE r.provider = known.provider AND r.day = named.day::date AND r.compared_at IS NOT NULL)
       ), today.day)::timestamp AT TIME ZONE 'UTC')), 0)::float8 AS behind_seconds
       FROM (SELECT provider, min(day) AS first FROM provider_reconciliations GROUP BY provider) AS known
         CROSS JOIN (SELECT (now() AT TIME ZONE 'UTC')::date AS day) AS today ORDER BY known.provider`,
  ),
});

import { rows, type Db } from '../../sql/query';
import { table } from '../../sql/table';
import { Restore } from './restore.model';

/**
 * True while a restore of this database is not released: money may have been sent after the copy of which nothing is known here,
 * so nothing is sent.
 */
export const restoreIsUnreleased = async (db: Db): Promise<boolean> =>
  (await table(db, Restore).count({ releasedAt: null })) > 0;

/** Ended days (UTC) since the copy that are not compared with a provider; a day that has not ended is not among them. */
export const uncomparedDays = (db: Db): Promise<{ provider: string; days: string[] }[]> =>
  rows(
    db,
    `SELECT known.provider, array_agg(named.day::date::text ORDER BY named.day) AS days
       FROM (SELECT DISTINCT provider FROM provider_reconciliations) AS known
         CROSS JOIN (SELECT min(copied_at) AS copied_at FROM restores WHERE released_at IS NULL) AS restored
         CROSS JOIN LATERAL generate_series((restored.copied_at AT TIME ZONE 'UTC')::date,
           (now() AT TIME ZONE 'UTC')::date - 1, interval '1 day') AS named (day)
      WHERE NOT EXISTS (SELECT 1 FROM provider_reconciliations r
        WHERE r.provider = known.provider AND r.day = named.day::date AND r.compared_at IS NOT NULL)
      GROUP BY known.provider ORDER BY known.provider`,
  );

import type { Attributes } from 'sequelize';
import { firstRow, rows, type Db } from '../../sql/query';
import type { ProviderReconciliation } from './provider-reconciliation.model';
import type { ReconciliationDifference } from './reconciliation-difference.model';

export const DIFFERENCE_COLUMNS = [
  'id',
  'runId',
  'provider',
  'day',
  'kind',
  'movementKind',
  'providerId',
  'ourId',
  'ourMinor',
  'ourCurrency',
  'theirMinor',
  'theirCurrency',
  'foundAt',
  'lastSeenAt',
  'resolvedAt',
  'resolvedBy',
  'note',
] as const satisfies readonly (keyof Attributes<ReconciliationDifference>)[];

export type DifferenceRow = Pick<Attributes<ReconciliationDifference>, (typeof DIFFERENCE_COLUMNS)[number]>;

interface Page {
  limit: number;
  offset: number;
}

/** Null: any. `from` and `to` are days of movements (YYYY-MM-DD), both inclusive. */
export interface DifferenceFilter {
  provider: string | null;
  kind: string | null;
  status: 'OPEN' | 'RESOLVED' | null;
  from: string | null;
  to: string | null;
}

const MATCHING = `FROM reconciliation_differences d
  WHERE ($1::text IS NULL OR d.provider = $1) AND ($2::text IS NULL OR d.kind = $2)
    AND ($3::text IS NULL OR ($3 = 'OPEN') = (d.resolved_at IS NULL))
    AND d.day BETWEEN coalesce($4::date, '-infinity') AND coalesce($5::date, 'infinity')`;

/** One page of the differences that were found, newest first. */
export async function listDifferences(
  db: Db,
  { provider, kind, status, from, to }: DifferenceFilter,
  { limit, offset }: Page,
): Promise<{ total: number; differences: DifferenceRow[] }> {
  const filter = [provider, kind, status, from, to];
  const counted = await firstRow<{ total: number }>(db, `SELECT count(*)::int AS total ${MATCHING}`, filter);
  const differences = await rows<DifferenceRow>(
    db,
    `SELECT d.*, d.day::text AS day ${MATCHING} ORDER BY d.found_at DESC, d.id DESC LIMIT $6 OFFSET $7`,
    [...filter, limit, offset],
  );
  return { total: counted?.total ?? 0, differences };
}

/** A run, with the number of open differences of its day. */
export type RunRow = Omit<Attributes<ProviderReconciliation>, 'reading' | 'readAt'> & {
  openDifferences: number;
};

/** One page of runs, the latest day first; of one provider if it is named. */
export async function listRuns(
  db: Db,
  provider: string | null,
  { limit, offset }: Page,
): Promise<{ total: number; runs: RunRow[] }> {
  const counted = await firstRow<{ total: number }>(
    db,
    'SELECT count(*)::int AS total FROM provider_reconciliations WHERE $1::text IS NULL OR provider = $1',
    [provider],
  );
  const runs = await rows<RunRow>(
    db,
    `SELECT r.id, r.provider, r.day::text AS day, r.started_at, r.compared_at, r.movements, r.fees_booked,
       (SELECT count(*)::int FROM reconciliation_differences d
         WHERE d.provider = r.provider AND d.day = r.day AND d.resolved_at IS NULL) AS open_differences
     FROM provider_reconciliations r WHERE $1::text IS NULL OR r.provider = $1
     ORDER BY r.day DESC, r.provider LIMIT $2 OFFSET $3`,
    [provider, limit, offset],
  );
  return { total: counted?.total ?? 0, runs };
}

/** The days of these, since the first run of the provider, that have no completed run; the last one also before any run. */
export async function daysToCompare(db: Db, provider: string, days: readonly string[]): Promise<string[]> {
  const due = await rows<{ day: string }>(
    db,
    `SELECT named.day::text AS day FROM unnest($2::date[]) AS named (day)
     WHERE NOT EXISTS (SELECT 1 FROM provider_reconciliations r
         WHERE r.provider = $1 AND r.day = named.day AND r.compared_at IS NOT NULL)
       AND named.day >= coalesce((SELECT min(day) FROM provider_reconciliations WHERE provider = $1), 'infinity')
        OR named.day = (SELECT max(day) FROM unnest($2::date[]) AS all_named (day))
     ORDER BY named.day`,
    [provider, days],
  );
  return due.map(({ day }) => day);
}

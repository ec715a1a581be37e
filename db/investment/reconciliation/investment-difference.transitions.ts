import { currencyDigits } from '../../../workflows/commerce/money.rules';
import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';
import { asMinor, FOUND } from './found-differences';

/** The time and the tolerance of a comparison. */
export interface Comparison {
  at: Date;
  /** Confirmations may come this many days late. */
  patienceDays: number;
}

/** The minor units in one unit of each currency of investments, as JSON for statements. */
export async function minorUnits(db: Db): Promise<string> {
  const used = await rows<{ currency: string }>(db, 'SELECT DISTINCT currency FROM investment_strategies');
  return JSON.stringify(
    Object.fromEntries(used.map(({ currency }) => [currency, 10 ** currencyDigits(currency)])),
  );
}

/** Assignments for the difference `d` that is found again: one that was accepted opens again unless it `isSame`. */
const foundAgain = (held: string, reported: string, isSame: string): string => {
  const kept = ['accepted_at', 'accepted_by', 'accepted_because'].map(
    (column) => `${column} = CASE WHEN ${isSame} THEN d.${column} END`,
  );
  return ['last_seen_at = $1', `held_minor = ${held}`, `reported_minor = ${reported}`, ...kept].join(', ');
};

/** The reported beyond the held amount of the difference `row`, however large both are; nothing reported is unlike a sum of 0. */
const gapOf = (row: string): string =>
  `(coalesce(${row}.reported_minor, 0) - coalesce(${row}.held_minor, 0), ${row}.reported_minor IS NULL)`;

const IS_SAME_GAP = `${gapOf('d')} = ${gapOf('excluded')}`;

/**
 * Compares the next participations, by id, with what their providers reported: records new differences, refreshes those
 * that are still there, and resolves those that are gone. One is gone only once nothing of it is left to be compared the
 * next time. Returns the last participation; null if there are no more.
 */
export async function comparePage(
  tx: Tx,
  { at, patienceDays }: Comparison,
  page: { after: string | null; limit: number; units: string },
): Promise<string | null> {
  const compared = await firstRow<{ compared: number; last: string | null }>(
    tx,
    `WITH ${FOUND},
     opened AS (
       INSERT INTO investment_differences AS d (id, participation_id, provider_code, investment_external_id, kind, currency,
           held_minor, reported_minor, found_at, last_seen_at)
         SELECT gen_random_uuid(), p.id, p.provider_code, p.external_id, f.kind, p.currency, f.held_minor,
                f.reported_minor, $1, $1
           FROM found f JOIN page p ON p.id = f.id
       ON CONFLICT (participation_id, kind) WHERE resolved_at IS NULL DO UPDATE
         SET investment_external_id = excluded.investment_external_id,
           ${foundAgain('excluded.held_minor', 'excluded.reported_minor', IS_SAME_GAP)}),
     resolved AS (
       UPDATE investment_differences d SET resolved_at = $1 FROM page p
        WHERE d.participation_id = p.id AND d.resolved_at IS NULL
          AND NOT EXISTS (SELECT 1 FROM found f WHERE f.id = d.participation_id AND f.kind = d.kind)
          AND NOT EXISTS (SELECT 1 FROM unsettled u WHERE u.id = d.participation_id AND u.kind = d.kind))
     SELECT count(*)::int AS compared, max(id::text) AS last FROM page`,
    [at, patienceDays, page.after, page.limit, page.units],
  );
  return compared?.compared === page.limit ? compared.last : null;
}

/** The most investments of one provider that one comparison lists as unknown for the first time. */
const MOST_UNKNOWN = 1_000;

/** The principal that the grouped reports `r` name, in minor units. `units`: the placeholder of the minor units of currencies. */
const principalOf = (units: string): string =>
  asMinor(
    `(sum(r.amount) FILTER (WHERE r.type = 'DEPOSIT') * coalesce(${units}::jsonb ->> max(r.currency), '100')::numeric)`,
  );

/** All that the grouped reports `r` say, to see whether it has changed: the sum of each type, and the currency. */
const SUMS = `jsonb_build_object('currency', max(r.currency), 'DEPOSIT', sum(r.amount) FILTER (WHERE r.type = 'DEPOSIT'),
                'PROFIT', sum(r.amount) FILTER (WHERE r.type = 'PROFIT'),
                'WITHDRAWAL', sum(r.amount) FILTER (WHERE r.type = 'WITHDRAWAL'))`;

/**
 * Records investments that a provider has reported some time ago and that no participation is, the oldest first; refreshes
 * those that are listed, and resolves those that a participation is now, and those of which every report was discarded.
 */
export async function compareUnknown(tx: Tx, { at, patienceDays }: Comparison, units: string): Promise<void> {
  await execute(
    tx,
    `UPDATE investment_differences d SET resolved_at = $1
      WHERE d.participation_id IS NULL AND d.resolved_at IS NULL
        AND (EXISTS (SELECT 1 FROM participations p
               WHERE p.provider_code = d.provider_code AND p.external_id = d.investment_external_id)
          OR NOT EXISTS (SELECT 1 FROM investment_reports r
               WHERE r.provider_code = d.provider_code AND r.investment_external_id = d.investment_external_id))`,
    [at],
  );
  await execute(
    tx,
    `UPDATE investment_differences d SET currency = now_reported.currency, reported_sums = now_reported.sums,
         ${foundAgain('NULL::bigint', 'now_reported.minor', 'd.reported_sums = now_reported.sums')}
       FROM (SELECT open.id, max(r.currency) AS currency, ${principalOf('$2')} AS minor, ${SUMS} AS sums
               FROM investment_differences open JOIN investment_reports r
                 ON r.provider_code = open.provider_code AND r.investment_external_id = open.investment_external_id
              WHERE open.participation_id IS NULL AND open.resolved_at IS NULL GROUP BY open.id) AS now_reported
      WHERE d.id = now_reported.id`,
    [at, units],
  );
  await execute(
    tx,
    `INSERT INTO investment_differences (id, provider_code, investment_external_id, kind, currency, reported_minor,
         reported_sums, found_at, last_seen_at)
       SELECT gen_random_uuid(), provider_code, investment_external_id, 'UNKNOWN_HERE', currency, minor, sums, $1, $1
         FROM (SELECT r.provider_code, r.investment_external_id, max(r.currency) AS currency, ${principalOf('$3')} AS minor,
                      ${SUMS} AS sums,
                      row_number() OVER (PARTITION BY r.provider_code ORDER BY min(r.reported_at), r.investment_external_id)
                        AS place
                 FROM investment_reports r
                WHERE NOT EXISTS (SELECT 1 FROM participations p
                        WHERE p.provider_code = r.provider_code AND p.external_id = r.investment_external_id)
                  AND NOT EXISTS (SELECT 1 FROM investment_differences d
                        WHERE d.provider_code = r.provider_code AND d.investment_external_id = r.investment_external_id
                          AND d.participation_id IS NULL AND d.resolved_at IS NULL)
                GROUP BY r.provider_code, r.investment_external_id
               HAVING min(r.reported_at) < $1::timestamptz - make_interval(days => $2::int)) AS unknown
        WHERE place <= ${MOST_UNKNOWN}
     ON CONFLICT (provider_code, investment_external_id) WHERE resolved_at IS NULL AND participation_id IS NULL DO NOTHING`,
    [at, patienceDays, units],
  );
}

/** The differences that are neither resolved nor accepted. */
export async function openDifferences(db: Db): Promise<number> {
  const found = await firstRow<{ open: number }>(
    db,
    'SELECT count(*)::int AS open FROM investment_differences WHERE resolved_at IS NULL AND accepted_at IS NULL',
  );
  return found?.open ?? 0;
}

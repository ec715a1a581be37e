import type { Tx } from '../../../sql/query';
import { findClearingDifferences } from './clearing-differences';
import { EARLY, gather, LATE, recordedAbout, type Comparison } from './compared-movements';

const dayOf = (moment: string): string => `(${moment} AT TIME ZONE 'UTC')::date`;

/** The days that were read, that of this comparison (`$2`) included. */
const READ_DAYS = `SELECT day FROM provider_reconciliations
    WHERE provider = $1 AND (read_at IS NOT NULL OR day = $2::date)`;

/**
 * Chargebacks whose fees are compared: those that were there on the day, those that a fee of the day names, and those of open
 * differences. What the provider took is the sum of all days of a chargeback, so it is judged when all of them are read and
 * kept: from a day before we recorded it, to the last change of ours. `$1` the provider, `$2` the day, `$3` the first day
 * that is kept, `$4` and `$5` the times that can be judged by this day.
 */
const DISPUTED_FEES = `
  SELECT b.id::text, b.provider_chargeback_id, b.fee_minor, b.fee_currency, b.first_day,
      b.first_day >= $3::date AND NOT EXISTS (
        SELECT 1 FROM generate_series(b.first_day, b.last_day, interval '1 day') AS named (day)
        WHERE named.day::date NOT IN (${READ_DAYS}))
    FROM (SELECT *, ${dayOf(`(created_at - ${LATE})`)} AS first_day, ${dayOf(`(updated_at + ${EARLY})`)} AS last_day
      FROM (SELECT c.* FROM chargebacks c WHERE c.provider = $1 AND c.updated_at >= $4 AND c.created_at < $5
        UNION SELECT c.* FROM noted_movements m
          JOIN chargebacks c ON c.provider = $1 AND c.provider_chargeback_id = m.reference WHERE m.kind = 'FEE'
        UNION SELECT c.* FROM open_differences d
          JOIN chargebacks c ON c.provider = $1 AND c.provider_chargeback_id = d.provider_id
         WHERE d.movement_kind = 'FEE') AS chosen) AS b`;

/**
 * True if the movement `o` of ours is judged where the provider does not say it: the day before and the days around it are
 * read, and what was said then is kept. Chosen: of a provider's first day, and of one after days that were not read, ours is
 * not judged until the day before is read, where a late report may have its movement.
 */
const IS_JUDGED = `NOT o.is_pending AND ${dayOf('o.at')} >= $3::date
      AND ${dayOf(`(o.at - ${LATE})`)} IN (SELECT day FROM read_days) AND ${dayOf('o.at')} IN (SELECT day FROM read_days)
      AND ${dayOf(`(o.at + ${EARLY})`)} IN (SELECT day FROM read_days)`;

/**
 * The differences of one day, and of those that are open. A movement that only the provider says under the key of one that
 * both have, or had when it was said, is that one TWICE. Fees with a reference are of chargebacks, which are booked as they
 * are reported: these are compared by their sum.
 */
const FOUND = `
  WITH read_days AS MATERIALIZED (${READ_DAYS}),
  twins AS (SELECT o.kind, o.reference, min(o.our_id) AS our_id
    FROM our_movements o LEFT JOIN movement_pairs p USING (kind, our_id)
    WHERE p.our_id IS NOT NULL OR ${dayOf('o.at')} < $3::date GROUP BY o.kind, o.reference),
  fees AS (SELECT m.reference, m.currency, max(m.day) AS day, greatest(0, sum(m.amount_minor))::bigint AS minor
    FROM disputed_fees b JOIN provider_movements m ON m.provider = $1 AND m.kind = 'FEE' AND m.reference = b.chargeback_id
    GROUP BY m.reference, m.currency),
  found AS (
    SELECT CASE WHEN is_extra THEN 'TWICE' WHEN our_currency <> their_currency THEN 'CURRENCY' ELSE 'AMOUNT' END AS kind,
        kind AS movement_kind, provider_id, our_id, day, our_minor, our_currency, their_minor, their_currency
      FROM movement_pairs WHERE is_extra OR our_currency <> their_currency OR our_minor <> their_minor
    UNION ALL
    SELECT CASE WHEN w.our_id IS NULL THEN 'MISSING_HERE' ELSE 'TWICE' END, t.kind, t.provider_id,
        coalesce(w.our_id, (SELECT d.our_id FROM reconciliation_differences d WHERE d.provider = $1
          AND d.kind = 'MISSING_HERE' AND d.movement_kind = t.kind AND d.provider_id = t.provider_id LIMIT 1)), t.day,
        NULL, NULL, t.amount_minor, t.currency
      FROM their_movements t LEFT JOIN movement_pairs p ON p.kind = t.kind AND p.provider_id = t.provider_id
        LEFT JOIN twins w ON w.kind = t.kind AND w.reference = t.reference
      WHERE p.kind IS NULL
    UNION ALL
    SELECT 'MISSING_THERE', o.kind, o.provider_id, o.our_id, ${dayOf('o.at')}, o.minor, o.currency, NULL, NULL
      FROM our_movements o LEFT JOIN movement_pairs p ON p.kind = o.kind AND p.our_id = o.our_id
      WHERE p.kind IS NULL AND ${IS_JUDGED}
    UNION ALL
    SELECT 'AMOUNT', 'FEE', b.chargeback_id, b.our_id, coalesce(f.day, b.day), b.fee_minor,
        coalesce(b.fee_currency, f.currency), coalesce(f.minor, 0), coalesce(f.currency, b.fee_currency)
      FROM disputed_fees b LEFT JOIN fees f ON f.reference = b.chargeback_id
      WHERE b.is_judged AND (b.fee_minor, coalesce(b.fee_currency, f.currency))
        <> (coalesce(f.minor, 0), coalesce(f.currency, b.fee_currency))
    UNION ALL
    SELECT 'CLEARING', NULL, NULL, concat_ws(' ', day, currency), day, booked_minor, currency, moved_minor, currency
      FROM clearing_differences)
  SELECT DISTINCT ON (kind, movement_kind, provider_id, our_id) * FROM found
   ORDER BY kind, movement_kind, provider_id, our_id, day`;

/**
 * Open differences that this comparison cannot judge, since not all is read or kept that they depend on: they stay open. So does one
 * that a look-up has shown, until the provider's statement has its movement.
 */
const UNJUDGED = `
  SELECT d.id FROM open_differences d JOIN disputed_fees b ON b.our_id = d.our_id
   WHERE d.movement_kind = 'FEE' AND NOT b.is_judged
  UNION SELECT d.id FROM open_differences d JOIN our_movements o ON o.kind = d.movement_kind AND o.our_id = d.our_id
   WHERE d.kind = 'TWICE' AND ${dayOf(`(o.at - ${LATE})`)} < $1::date
  UNION SELECT d.id FROM open_differences d WHERE d.is_reported AND NOT EXISTS (SELECT 1 FROM provider_movements m
    WHERE m.provider = $2 AND m.kind = d.movement_kind AND m.provider_id = d.provider_id)`;

/** Finds the differences among what `gatherMovements` has gathered: fills `found_differences` and `unjudged_differences`. */
export async function findDifferences(tx: Tx, comparison: Comparison): Promise<void> {
  const { provider, day, keptFrom } = comparison;
  const { from, to } = recordedAbout(comparison);
  await gather(tx, {
    table: 'disputed_fees',
    columns: `our_id text NOT NULL, chargeback_id text NOT NULL, fee_minor bigint NOT NULL, fee_currency text,
      day date NOT NULL, is_judged boolean NOT NULL`,
    ...{ sql: DISPUTED_FEES, bind: [provider, day, keptFrom, from, to] },
  });
  await findClearingDifferences(tx, provider, day);
  await gather(tx, {
    table: 'found_differences',
    columns: `kind text NOT NULL, movement_kind text, provider_id text, our_id text, day date NOT NULL, our_minor bigint,
      our_currency text, their_minor bigint, their_currency text`,
    ...{ sql: FOUND, bind: [provider, day, keptFrom] },
  });
  await gather(tx, {
    ...{ table: 'unjudged_differences', columns: 'id uuid NOT NULL' },
    ...{ sql: UNJUDGED, bind: [keptFrom, provider] },
  });
}

import { isOf } from '../../../ledger/reference-columns';
import { execute, rows, type Tx } from '../../../sql/query';
import { OUR_MOVEMENTS } from './our-movements';

/** The changes of our clearing account by our movements of a day. */
const CLEARED = OUR_MOVEMENTS.filter(({ kind, isPending }) => kind !== 'FEE' && !isPending)
  .map(({ kind, sql }) => {
    const minor = kind === 'CAPTURE' || kind === 'CHARGEBACK_RETURNED' ? '-o.minor' : 'o.minor';
    return `SELECT o.currency, ${minor} AS minor FROM (${sql}) AS o WHERE o.at >= $3 AND o.at < $4`;
  })
  .join('\n      UNION ALL ');

/** True if the transfer `t` is a fee; fees are booked by other days than their movements. */
const IS_FEE = isOf('t', 'fee', 'chargeback-fee');

/**
 * True if the transfer `t` sent a refund that came back, or made it its provider's, or is that return: these are none of our
 * movements. The first sending of a refund has no part; of the others, each came back if the same part did.
 */
const IS_RETURNED = `((${isOf('t', 'payment-refund', 'payment-refund-returned')}
    AND t.subject_id IN (SELECT r.id::text FROM payment_refunds r WHERE r.returned_reference IS NOT NULL))
  OR (${isOf('t', 'payment-refund-again', 'payment-refund-by-provider')} AND EXISTS (
    SELECT 1 FROM ledger_transfers b WHERE ${isOf('b', 'payment-refund-returned')} AND b.subject_id = t.subject_id AND b.part = t.part)))`;

/** The currencies of one day, `$3` to `$4`, in which the clearing account does not hold what our movements come to. */
const CLEARING = `
  SELECT $2::date, currency, coalesce(b.minor, 0), coalesce(c.minor, 0)
    FROM (SELECT e.currency, sum(e.amount_minor)::bigint AS minor
        FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
        WHERE e.account ^@ 'clearing_' AND e.account = 'clearing_' || $1 AND e.created_at >= $3 AND e.created_at < $4
          AND NOT (${IS_FEE}) AND NOT ${IS_RETURNED} GROUP BY e.currency) AS b
      FULL JOIN (SELECT o.currency, sum(o.minor)::bigint AS minor FROM (
        ${CLEARED}) AS o GROUP BY o.currency) AS c USING (currency)
   WHERE coalesce(b.minor, 0) <> coalesce(c.minor, 0)`;

interface ClearingDay {
  day: string;
  startsAt: Date;
  endsAt: Date;
}

/**
 * Fills a new temporary table `clearing_differences` of a day and of those in `open_differences`. Each day is a statement of
 * its own, whose times are values: PostgreSQL then knows how few rows it has.
 */
export async function findClearingDifferences(tx: Tx, provider: string, day: string): Promise<void> {
  await execute(
    tx,
    `CREATE TEMPORARY TABLE clearing_differences (day date NOT NULL, currency text NOT NULL, booked_minor bigint NOT NULL,
       moved_minor bigint NOT NULL) ON COMMIT DROP`,
  );
  const days = await rows<ClearingDay>(
    tx,
    `SELECT day::text AS day, day::timestamp AT TIME ZONE 'UTC' AS starts_at,
       (day + 1)::timestamp AT TIME ZONE 'UTC' AS ends_at
     FROM (SELECT $1::date AS day UNION SELECT day FROM open_differences WHERE kind = 'CLEARING') AS named`,
    [day],
  );
  for (const { day: of, startsAt, endsAt } of days)
    await execute(tx, `INSERT INTO clearing_differences ${CLEARING}`, [provider, of, startsAt, endsAt]);
}

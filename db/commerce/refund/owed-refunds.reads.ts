import { secondsSince } from '../../administration/figures/read-figures';
import { rows, type Tx } from '../../sql/query';

/** Money that buyers are to get back and have not got. */
export interface OwedRefunds {
  /** PROCESSING: on its way; ABANDONED: given up, so that a person has to send it. Each has a row; the age is 0 where none is. */
  refunds: { status: string; refunds: number; oldestSeconds: number }[];
  /** In minor units; a currency in which none is owed has no row. */
  amounts: { currency: string; amountMinor: number }[];
}

/** By the indexes of refunds that are not concluded. */
const OWED = `(SELECT status, currency, amount_minor, created_at FROM payment_refunds WHERE status = 'PROCESSING'
    UNION ALL SELECT status, currency, amount_minor, created_at FROM payment_refunds WHERE status = 'ABANDONED')`;

/** Reads them; the statements read refunds that are owed, and no others. */
export const owedRefunds = async (tx: Tx): Promise<OwedRefunds> => ({
  refunds: await rows(
    tx,
    `SELECT known.status, count(owed.status)::int AS refunds, ${secondsSince('min(owed.created_at)')} AS oldest_seconds
       FROM unnest(ARRAY['PROCESSING', 'ABANDONED']) AS known (status)
       LEFT JOIN ${OWED} AS owed ON owed.status = known.status GROUP BY known.status ORDER BY known.status`,
  ),
  amounts: await rows(
    tx,
    `SELECT currency, sum(amount_minor)::bigint AS amount_minor FROM ${OWED} AS owed GROUP BY currency ORDER BY currency`,
  ),
});

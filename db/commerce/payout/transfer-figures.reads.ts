import { BY_HAND } from '../../../workflows/commerce/payout/transfer-out.rules';
import { secondsSince } from '../../administration/figures/read-figures';
import { firstRow, literals, rows, type Tx } from '../../sql/query';
import { OPEN_PAYOUTS } from '../../../workflows/commerce/payout/payout.states';

/** Money on its way out that somebody waits for: payouts, and withdrawals of investments. Ages are 0 where none waits. */
export interface TransferFigures {
  /** Those that a person has to send from our bank account, and the time since the first was requested, or processed. */
  byHand: { transfers: number; oldestSeconds: number };
  /**
   * Of each provider, the time since the first of those was requested, or processed, about which it has not said that the
   * money arrived or is refused. A process that parks anew each day does not make it younger.
   */
  underWay: { provider: string; oldestSeconds: number }[];
  /** The time for which the first transfer has waited for a bank file, and the first file with transfers for its report. */
  bankFiles: { collectedSeconds: number; unreportedSeconds: number };
  /** Payouts that are not concluded, by status; each has a row. */
  open: { status: string; payouts: number }[];
  /** The money that is held for them, in minor units; a currency without any has no row. */
  held: { currency: string; amountMinor: number }[];
}

/** Every transfer that is on its way, by the indexes of these. */
const SENT = `(SELECT provider, created_at AS since FROM investment_withdrawals WHERE status = 'PROCESSING'
    UNION ALL SELECT provider, processed_at FROM payouts WHERE status = 'PROCESSING')`;

/** As the index of open payouts has it. */
const OPEN = `p.status IN (${literals(OPEN_PAYOUTS)})`;

/**
 * Reads them; the statements read transfers that are on their way, and no others. `senders`: the codes of providers that send
 * money out; each has a row also while none of its transfers is under way.
 */
export const transferFigures = async (tx: Tx, senders: readonly string[] = []): Promise<TransferFigures> => ({
  byHand: await counted(
    tx,
    `SELECT count(*)::int AS transfers, ${secondsSince('min(since)')} AS oldest_seconds
       FROM ${SENT} AS sent WHERE provider = '${BY_HAND}'`,
  ),
  underWay: await rows(
    tx,
    `SELECT provider, ${secondsSince('min(since)')} AS oldest_seconds
       FROM (SELECT * FROM ${SENT} AS sent UNION ALL SELECT unnest($1::text[]), NULL) AS known
      WHERE provider <> '${BY_HAND}' GROUP BY provider ORDER BY provider`,
    [senders],
  ),
  bankFiles: await counted(
    tx,
    `SELECT (SELECT ${secondsSince('min(created_at)')} FROM bank_file_transfers WHERE status = 'COLLECTED') AS collected_seconds,
       (SELECT ${secondsSince('min(made_at)')} FROM bank_files
         WHERE id IN (SELECT file_id FROM bank_file_transfers WHERE status = 'IN_FILE')) AS unreported_seconds`,
  ),
  open: await rows(
    tx,
    `SELECT known.status, count(p.id)::int AS payouts FROM unnest(ARRAY[${literals(OPEN_PAYOUTS)}]) AS known (status)
       LEFT JOIN payouts p ON p.status = known.status AND ${OPEN} GROUP BY known.status ORDER BY known.status`,
  ),
  held: await rows(
    tx,
    `SELECT currency, sum(amount_minor)::bigint AS amount_minor FROM payouts p WHERE ${OPEN} GROUP BY currency ORDER BY currency`,
  ),
});

async function counted<Counts extends object>(tx: Tx, text: string): Promise<Counts> {
  const found = await firstRow<Counts>(tx, text);
  if (!found) throw new Error('PostgreSQL answered no row to a count.');
  return found;
}

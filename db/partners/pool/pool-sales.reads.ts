import type { PoolPeriod } from '../../../workflows/partners/pool/pool-period.rules';
import { firstRow, type Db, type Tx } from '../../sql/query';

/** The types of events that make sales, or take back a part of one. */
const SALES = `ARRAY['order.paid', 'refund.completed', 'refund.charged_back', 'chargeback.lost', 'chargeback.returned',
  'investment.created']`;

/** The runs of a kind that are counted. */
export interface EarlierRuns {
  /** The last of them, null before the first. */
  lastRunId: string | null;
  /** The number of the last sale that the last of them saw. */
  lastSaleNumber: number;
  /** Their periods, as PostgreSQL writes a multirange. */
  periods: string;
  /** The end of the latest period, that of the run itself included. */
  until: Date;
  /** The number of the last sale that the run itself counts; null of one that counts all that its transaction sees. */
  upToNumber: number | null;
}

/** The runs of the kind of a period that this transaction sees. */
export async function earlierRuns(tx: Tx, { kind, endsAt }: PoolPeriod): Promise<EarlierRuns> {
  const found = await firstRow<EarlierRuns>(
    tx,
    `SELECT l.id AS last_run_id, coalesce(l.last_sale_number, 0) AS last_sale_number, r.until,
            coalesce(r.periods, '{}')::text AS periods, NULL::bigint AS up_to_number
       FROM (SELECT range_agg(tstzrange(starts_at, ends_at)) AS periods, greatest(max(ends_at), $2) AS until
         FROM pool_runs WHERE kind = $1) r
       LEFT JOIN pool_runs l ON l.kind = $1 AND NOT EXISTS (SELECT 1 FROM pool_runs n WHERE n.previous_run_id = l.id)`,
    [kind, endsAt],
  );
  if (!found) throw new Error('An aggregate has no row.');
  return found;
}

/** The runs that the run of a period saw, as it did, with its id; null if the period has no run. */
export const earlierThanRun = (
  tx: Tx,
  { kind, period }: PoolPeriod,
): Promise<(EarlierRuns & { runId: string }) | null> =>
  firstRow(
    tx,
    `SELECT r.id AS run_id, p.id AS last_run_id, coalesce(p.last_sale_number, 0) AS last_sale_number, r.ends_at AS until,
            r.last_sale_number AS up_to_number, coalesce((
              SELECT range_agg(tstzrange(e.starts_at, e.ends_at)) FROM pool_runs e
               WHERE e.kind = r.kind AND e.id <> r.id AND e.last_sale_number <= p.last_sale_number), '{}')::text AS periods
       FROM pool_runs r LEFT JOIN pool_runs p ON p.id = r.previous_run_id
      WHERE r.kind = $1 AND r.period = $2`,
    [kind, period],
  );

/**
 * The condition of the sales that a run counts: those of its period, and the late ones, which are of periods that were
 * counted before and came after the last count. A sale is so counted once by the runs of a kind, in whichever order periods
 * are counted.
 */
export const countedIn = (
  { startsAt, endsAt }: PoolPeriod,
  { lastRunId, lastSaleNumber, periods, upToNumber }: EarlierRuns,
): string => {
  // The first run has none, and its sales are one range of an index.
  const late =
    lastRunId === null ? '' : `OR number > ${lastSaleNumber} AND occurred_at <@ '${periods}'::tstzmultirange`;
  const all = `(occurred_at >= '${startsAt.toISOString()}' AND occurred_at < '${endsAt.toISOString()}' ${late})`;
  return upToNumber === null ? all : `(${all} AND number <= ${upToNumber})`;
};

/**
 * The base of the sales of a run's period, in its currency, that were announced only after it was counted: they count in the
 * next run of its kind. Exact, whatever the clocks say: the number of such a sale is higher than those of all that the run saw.
 */
export async function lateSalesMinor(db: Db, runId: string): Promise<number> {
  const late = await firstRow<{ minor: number }>(
    db,
    `SELECT coalesce(sum(s.base_minor), 0)::bigint AS minor FROM pool_runs r
       JOIN partner_sales s ON s.occurred_at >= r.starts_at AND s.occurred_at < r.ends_at AND s.currency = r.currency
         AND s.number > r.last_sale_number
      WHERE r.id = $1`,
    [runId],
  );
  return late?.minor ?? 0;
}

/** True if an event from before `before` that makes a sale waits to be counted, parked ones included; given-up ones do not. */
export async function salesUncounted(db: Db, before: Date): Promise<boolean> {
  const found = await firstRow(
    db,
    `SELECT 1 FROM unnest(${SALES}) AS sale (type) CROSS JOIN LATERAL (
       SELECT d.occurred_at FROM event_deliveries d WHERE d.consumer = 'commissions' AND d.state <> 'DEAD' AND d.type = sale.type
        ORDER BY d.occurred_at LIMIT 1) AS oldest
      WHERE oldest.occurred_at < $1 LIMIT 1`,
    [before],
  );
  return found !== null;
}

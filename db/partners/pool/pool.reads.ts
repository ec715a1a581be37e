import type { Attributes } from 'sequelize';
import type { PoolKind, PoolPeriod } from '../../../workflows/partners/pool/pool-period.rules';
import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { PoolRun } from './pool-run.model';

/** Events that make sales, as the index of uncounted ones names them. */
const SALES = `type IN ('order.paid', 'refund.completed', 'chargeback.lost', 'chargeback.returned', 'investment.created')`;

export type PoolRunFigures = Omit<Attributes<PoolRun>, 'lastSaleNumber'>;

const RUN_COLUMNS = [
  ...(['id', 'kind', 'period', 'startsAt', 'endsAt', 'programmeVersion', 'currency', 'baseMinor'] as const),
  ...([
    'rateBp',
    'poolMinor',
    'minimumVolumeMinor',
    'denominator',
    'participants',
    'distributedMinor',
  ] as const),
  ...(['status', 'countedAt', 'completedAt'] as const),
];

/** The run of a period, or null. */
export const runOfPeriod = (
  db: Db,
  { kind, period }: Pick<PoolPeriod, 'kind' | 'period'>,
): Promise<Pick<PoolRunFigures, 'id' | 'status' | 'poolMinor' | 'participants'> | null> =>
  table(db, PoolRun).one(['id', 'status', 'poolMinor', 'participants'], { kind, period });

export const poolRun = (db: Db, id: string): Promise<PoolRunFigures | null> =>
  table(db, PoolRun).one(RUN_COLUMNS, { id });

/**
 * The base of the sales of a run's period, in its currency, that were announced only after it was counted: they are in no
 * pool. Exact, whatever the clocks say: the number of such a sale is higher than those of all that the run saw.
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

/** One page of runs, the latest period first. */
export async function poolRuns(
  db: Db,
  kind: PoolKind | undefined,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ runs: PoolRunFigures[]; total: number }> {
  const where = kind === undefined ? {} : { kind };
  const runs = await table(db, PoolRun).all(RUN_COLUMNS, where, {
    order: [
      ['endsAt', 'DESC'],
      ['id', 'DESC'],
    ],
    ...{ limit, offset },
  });
  return { runs, total: await table(db, PoolRun).count(where) };
}

/** True if an event from before `before` that makes a sale waits to be counted, parked ones included; given-up ones do not. */
export async function salesUncounted(db: Db, before: Date): Promise<boolean> {
  const found = await firstRow(
    db,
    `SELECT 1 FROM domain_events WHERE taken_at IS NULL AND given_up_at IS NULL AND occurred_at < $1 AND ${SALES}
     ORDER BY occurred_at LIMIT 1`,
    [before],
  );
  return found !== null;
}

/** The time when the first partner joined; null before there is one. */
export async function firstPartnerAt(db: Db): Promise<Date | null> {
  const found = await firstRow<{ at: Date | null }>(db, 'SELECT min(joined_at) AS at FROM partners');
  return found?.at ?? null;
}

/** The periods among these whose run is completed. */
export async function completedPeriods(
  db: Db,
  kind: PoolKind,
  periods: readonly string[],
): Promise<Set<string>> {
  const found = await rows<{ period: string }>(
    db,
    `SELECT period FROM pool_runs WHERE kind = $1 AND period = ANY($2::text[]) AND status = 'COMPLETED'`,
    [kind, periods],
  );
  return new Set(found.map(({ period }) => period));
}

/** Lets all later statements of a transaction see the database as of the first, each for so long at most. */
export async function readAsOfNow(tx: Tx, longestMs: number): Promise<void> {
  await execute(tx, 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  await execute(tx, `SET LOCAL statement_timeout = ${longestMs}`);
}

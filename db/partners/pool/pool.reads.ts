import type { Attributes } from 'sequelize';
import type { PoolKind, PoolPeriod } from '../../../workflows/partners/pool/pool-period.rules';
import { execute, firstRow, rows, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { PoolRun } from './pool-run.model';

export type PoolRunFigures = Omit<Attributes<PoolRun>, 'lastSaleNumber' | 'previousRunId'>;

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

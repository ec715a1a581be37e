import { execute, rows } from '../../../../db/sql/query';
import type { Job, JobResult } from '../../../../workflows/kit/job/job.contract';
import {
  poolPeriodAt,
  poolPeriodBefore,
  type PoolKind,
} from '../../../../workflows/partners/pool/pool-period.rules';
import { poolProcess } from '../../../../workflows/partners/pool/pool.contract';
import { make } from '../../../support/builders/make';
import { partnerSale, takeEvents } from '../../../support/builders/make/partners/partner-sales';
import { startJob } from '../../../support/worlds/run-job';
import type { World } from '../../../support/worlds/world';

/** Starts a job twice at once for the same time, where three periods are missing; answers those that have a completed run then. */
export async function duePools(
  { db, temporal }: Pick<World, 'db' | 'temporal'>,
  kind: PoolKind,
  job: Job,
): Promise<{ expected: string[]; started: string[]; completed: string[] }> {
  await execute(db, 'DELETE FROM partner_sales');
  const last = poolPeriodBefore(poolPeriodAt(kind, new Date()));
  const missed = poolPeriodBefore(poolPeriodBefore(last));
  const { id: userId } = await make.user(db);
  await execute(db, 'UPDATE partners SET joined_at = $2 WHERE id = $1', [
    (await make.partner(db)).id,
    missed.startsAt,
  ]);
  // Sales from before the programme had partners make no pools.
  for (const { startsAt } of [missed, poolPeriodBefore(missed)])
    await partnerSale(db, { userId, baseMinor: 1_000_00, at: startsAt });
  await takeEvents(db);
  const at = new Date().toISOString();
  const fired = await Promise.all(
    ['a', 'b'].map((name) => startJob(temporal, job, { as: `${job.id}-${name}`, run: { due: at, at } })),
  );
  const results = await Promise.all(fired.map((handle) => handle.result() as Promise<JobResult>));
  const expected = [missed, poolPeriodBefore(last), last].map(({ period }) => period);
  for (const period of expected) await temporal.workflow.getHandle(poolProcess.id({ kind, period })).result();
  const completed = await rows<{ period: string }>(
    db,
    `SELECT period FROM pool_runs WHERE kind = $1 AND status = 'COMPLETED' ORDER BY starts_at`,
    [kind],
  );
  return {
    expected,
    started: [...new Set(results.flatMap(({ words }) => words.match(/\b20\d\d-\w+/g) ?? []))].sort(),
    completed: completed.map(({ period }) => period),
  };
}

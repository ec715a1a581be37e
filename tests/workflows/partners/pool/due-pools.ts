import { execute, rows } from '../../../../db/sql/query';
import { startOptions, type ProcessDefinition } from '../../../../workflows/kit/process';
import type { LeadershipPoolResult } from '../../../../workflows/partners/pool/leadership-pool.contract';
import {
  poolPeriodAt,
  poolPeriodBefore,
  type PoolKind,
} from '../../../../workflows/partners/pool/pool-period.rules';
import { poolProcess } from '../../../../workflows/partners/pool/pool.contract';
import { make } from '../../../support/builders/make';
import { partnerSale, takeEvents } from '../../../support/builders/make/partners/partner-sales';
import { keepHistory } from '../../../support/checks/histories';
import type { World } from '../../../support/worlds/world';

/** Fires a schedule's process twice at once where three periods are missing; answers those that have a completed run then. */
export async function duePools(
  { db, temporal }: Pick<World, 'db' | 'temporal'>,
  kind: PoolKind,
  process: ProcessDefinition<Record<string, never>, LeadershipPoolResult>,
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
  const fired = await Promise.all(
    ['a', 'b'].map((name) =>
      temporal.workflow.start(process.type, {
        ...startOptions(process, {}),
        workflowId: `${process.id({})}-${name}`,
      }),
    ),
  );
  const results = await Promise.all(
    fired.map(async (handle) => (await handle.result()) as LeadershipPoolResult),
  );
  await keepHistory(fired[0]!, 'started');
  const expected = [missed, poolPeriodBefore(last), last].map(({ period }) => period);
  for (const period of expected) await temporal.workflow.getHandle(poolProcess.id({ kind, period })).result();
  const completed = await rows<{ period: string }>(
    db,
    `SELECT period FROM pool_runs WHERE kind = $1 AND status = 'COMPLETED' ORDER BY starts_at`,
    [kind],
  );
  return {
    expected,
    started: [...new Set(results.flatMap(({ started }) => started))].sort(),
    completed: completed.map(({ period }) => period),
  };
}

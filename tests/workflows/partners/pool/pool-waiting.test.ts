import { execute, rows } from '../../../../db/sql/query';
import { startProcesses } from '../../../../workers/start';
import { poolPeriodNamed } from '../../../../workflows/partners/pool/pool-period.rules';
import { poolProcess, type PoolInput } from '../../../../workflows/partners/pool/pool.contract';
import { takeEvents } from '../../../support/builders/make/partners/partner-sales';
import { qualifiedLeader } from '../../../support/builders/make/partners/pool-runs';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { ownSkippingWorld } from '../../../support/worlds/skipping-world';

const world = ownSkippingWorld({ queues: ['interactive', 'batch', 'long'] });

/** Starts the pool of a week with one qualified partner, one of whose sales waits for the engine. */
async function waiting(period: string) {
  const { db, temporal } = world;
  const pool: PoolInput = { kind: 'WEEKLY', period };
  const { startsAt, ...week } = poolPeriodNamed(pool.kind, pool.period)!;
  await qualifiedLeader(db, { startsAt, ...week });
  await takeEvents(db);
  await execute(
    db,
    `UPDATE domain_events SET taken_at = NULL, parked_at = now()
     WHERE id IN (SELECT event_id FROM partner_sales WHERE occurred_at = $1)`,
    [startsAt],
  );
  const start = () => startProcesses(temporal)(poolProcess, pool);
  await start();
  return { start, handle: temporal.workflow.getHandle(poolProcess.id(pool)) };
}
const engineCatchesUp = (): Promise<number> =>
  execute(world.db, 'UPDATE domain_events SET taken_at = now(), parked_at = NULL WHERE taken_at IS NULL');

test('waits for the commission engine for hours without a person, and counts what it has counted then', async () => {
  const { db } = world;
  const { start, handle } = await waiting('2026-W21');
  await world.sleep('3 hours');
  await eventually(async () => {
    const { events } = await handle.fetchHistory();
    const waits = events!.filter(({ timerFiredEventAttributes: fired }) => fired);
    expect(waits.length).toBeGreaterThanOrEqual(2);
  });
  expect((await handle.describe()).status.name).toBe('RUNNING');
  expect(await start()).toBe('already started');
  expect(await rows(db, 'SELECT 1 FROM parked_processes')).toEqual([]);
  expect(await rows(db, 'SELECT 1 FROM pool_runs')).toEqual([]);
  await engineCatchesUp();
  expect(await handle.result()).toEqual({ status: 'COMPLETED', participants: 1 });
  await keepHistory(handle, 'waited');
  expect(await rows(db, 'SELECT amount_minor FROM pool_shares WHERE amount_minor > 0')).toEqual([
    { amountMinor: 35_00 },
  ]);
});

test('waits for days in one history after another, and counts once', async () => {
  const { start, handle } = await waiting('2026-W22');
  const { runId: first } = await handle.describe();
  const runs = new Set([first]);
  while (runs.size < 3) {
    await world.sleep('1 hour');
    runs.add((await handle.describe()).runId);
  }
  expect((await handle.describe()).historyLength).toBeLessThan(1_000);
  expect(await start()).toBe('already started');
  await engineCatchesUp();
  expect(await handle.result()).toEqual({ status: 'COMPLETED', participants: 1 });
  expect(await rows(world.db, `SELECT status FROM pool_runs WHERE period = '2026-W22'`)).toEqual([
    { status: 'COMPLETED' },
  ]);
  await keepHistory(handle, 'continued', first);
});

import { execute, rows } from '../../../../db/sql/query';
import { abandonStep, retryStep } from '../../../../workflows/kit/parking.contract';
import { startProcesses } from '../../../../workers/start';
import { poolPeriodNamed } from '../../../../workflows/partners/pool/pool-period.rules';
import { poolProcess, type PoolInput } from '../../../../workflows/partners/pool/pool.contract';
import { make } from '../../../support/builders/make';
import {
  partnerSale,
  queueEvents,
  soldEvent,
  takeEvents,
} from '../../../support/builders/make/partners/partner-sales';
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
  await queueEvents(db, 'id IN (SELECT event_id FROM partner_sales WHERE occurred_at = $1)', [startsAt]);
  await park();
  const start = () => startProcesses(temporal)(poolProcess, pool);
  await start();
  return { start, handle: temporal.workflow.getHandle(poolProcess.id(pool)) };
}
const park = (): Promise<number> => execute(world.db, `UPDATE event_deliveries SET state = 'PARKED'`);
const engineCatchesUp = (): Promise<number> => takeEvents(world.db);

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

/** Starts the pool of a week of which another sale waits for the engine, and lets a day pass. */
async function waitingForADay(period: string) {
  const { db, temporal } = world;
  const pool: PoolInput = { kind: 'WEEKLY', period };
  const week = poolPeriodNamed(pool.kind, pool.period)!;
  await qualifiedLeader(db, week);
  await takeEvents(db);
  await soldEvent(db, { at: week.startsAt });
  await park();
  await startProcesses(temporal)(poolProcess, pool);
  const handle = temporal.workflow.getHandle(poolProcess.id(pool));
  await world.sleep('23 hours');
  expect(await rows(db, 'SELECT 1 FROM parked_processes')).toEqual([]);
  await world.sleep('2 hours');
  await eventually(async () =>
    expect(await rows(db, 'SELECT reason FROM parked_processes')).toEqual([
      { reason: expect.stringContaining('Sales of the period have waited for a day to be counted') },
    ]),
  );
  return { handle, week };
}

const basesOf = (period: string) =>
  rows(world.db, 'SELECT base_minor, distributed_minor FROM pool_runs WHERE period = $1', [period]);

test('after a day it waits for a person, whose retry pays without what is not counted; the next run has that', async () => {
  const { db, temporal } = world;
  const { handle, week } = await waitingForADay('2026-W30');
  await handle.executeUpdate(retryStep, { args: [{ noteId: null }] });
  expect(await handle.result()).toEqual({ status: 'COMPLETED', participants: 1 });
  await keepHistory(handle, 'without-uncounted');
  expect(await rows(db, 'SELECT 1 FROM parked_processes')).toEqual([]);
  expect(await basesOf('2026-W30')).toEqual([{ baseMinor: 3_500_00, distributedMinor: 35_00 }]);

  await engineCatchesUp();
  await partnerSale(db, { userId: (await make.user(db)).id, baseMinor: 200_00, at: week.startsAt });
  const next: PoolInput = { kind: 'WEEKLY', period: '2026-W31' };
  await startProcesses(temporal)(poolProcess, next);
  await temporal.workflow.getHandle(poolProcess.id(next)).result();
  expect(await basesOf(next.period)).toEqual([{ baseMinor: 200_00, distributedMinor: 0 }]);
});

test('one that is given up then counts nothing', async () => {
  const { handle } = await waitingForADay('2026-W33');
  await handle.executeUpdate(abandonStep, { args: [{ noteId: null }] });
  expect(await handle.result()).toEqual({ status: 'ABANDONED', participants: 0 });
  expect(await basesOf('2026-W33')).toEqual([]);
  await engineCatchesUp();
});

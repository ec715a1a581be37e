import { ScheduleOverlapPolicy, WorkflowNotFoundError } from '@temporalio/client';
import { rows } from '../../../../db/sql/query';
import { schedules } from '../../../../workers/schedule-table';
import { reconcileSchedules, SCHEDULES_VERSION } from '../../../../workers/schedules';
import { startProcesses } from '../../../../workers/start';
import { leadershipPoolWeekly } from '../../../../workflows/partners/pool/leadership-pool.job';
import { poolProcess } from '../../../../workflows/partners/pool/pool.contract';
import { make } from '../../../support/builders/make';
import { eventually } from '../../../support/checks/eventually';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({ queues: ['interactive', 'batch', 'long'] });
const job = leadershipPoolWeekly.id;

const ofWeek = (period: string) =>
  world.temporal.workflow.getHandle(poolProcess.id({ kind: 'WEEKLY', period }));
/** It may have ended before. */
function unlessClosed(error: unknown): void {
  if (!(error instanceof WorkflowNotFoundError)) throw error;
}

/** The times for which the job was run, and the pools, in order. */
const done = async () => ({
  runs: (
    await rows<{ run: string; state: string }>(
      world.db,
      'SELECT run, state FROM job_runs WHERE job = $1 ORDER BY run',
      [job],
    )
  ).map(({ run, state }) => `${new Date(run).toISOString()} ${state}`),
  pools: (
    await rows<{ pool: string }>(
      world.db,
      `SELECT period || ' ' || status AS pool FROM pool_runs WHERE kind = 'WEEKLY' ORDER BY period`,
    )
  ).map(({ pool }) => pool),
});

test('a schedule that is backfilled over two past times, twice: each time has its run, each week its pool', async () => {
  await make.partner(world.db);
  const table = schedules.filter(({ id }) => id === job);
  await reconcileSchedules(world.temporal, { version: SCHEDULES_VERSION, schedules: table });
  const schedule = world.temporal.schedule.getHandle(job);
  await schedule.pause('only past times');
  /** As an operator in the UI, with both Mondays of 2026 in the range. */
  const backfill = () =>
    schedule.backfill({
      start: new Date('2026-05-31T23:59:00Z'),
      end: new Date('2026-06-08T00:01:00Z'),
      overlap: ScheduleOverlapPolicy.BUFFER_ALL,
    });
  const both = {
    runs: ['2026-06-01T00:00:00.000Z DONE', '2026-06-08T00:00:00.000Z DONE'],
    pools: ['2026-W22 COMPLETED', '2026-W23 COMPLETED'],
  };
  await backfill();
  await eventually(async () => expect((await done()).runs).toEqual(both.runs));
  await eventually(async () => expect((await done()).pools).toContain(both.pools[0]));
  await eventually(async () => expect((await ofWeek('2026-W23').describe()).type).toBe(poolProcess.type));
  // The one that found the other being counted looks again after five minutes; started anew it looks at once.
  await ofWeek('2026-W23').terminate().catch(unlessClosed);
  await startProcesses(world.temporal)(poolProcess, { kind: 'WEEKLY', period: '2026-W23' });
  await eventually(async () => expect((await done()).pools).toEqual(both.pools));

  await backfill();
  await eventually(async () => {
    const { info } = await schedule.describe();
    expect([info.numActionsTaken, info.runningActions]).toEqual([4, []]);
  });
  expect(await done()).toEqual(both);
});

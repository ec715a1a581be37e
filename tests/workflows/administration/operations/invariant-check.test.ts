import { latestInvariantRun } from '../../../../db/administration/operations/invariant-run.reads';
import { execute } from '../../../../db/sql/query';
import { invariantCheckProcess } from '../../../../workflows/administration/operations/invariant-check.contract';
import { make } from '../../../support/builders/make';
import { keepHistory } from '../../../support/checks/histories';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({ queues: ['batch', 'long'] });

async function run() {
  const handle = await world.temporal.workflow.start(invariantCheckProcess.type, {
    workflowId: invariantCheckProcess.id({}),
    taskQueue: invariantCheckProcess.queue,
    args: [{}],
  });
  const found: unknown = await handle.result();
  const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
  const { startTime } = await handle.describe();
  return { found, currentDetails, startTime, handle };
}

test('says that everything holds, and keeps it under the start of the run', async () => {
  const { found, currentDetails, startTime, handle } = await run();
  expect(found).toEqual({ broken: 0, invariants: [] });
  expect(currentDetails).toBe('All invariants hold.');
  expect(await latestInvariantRun(world.db)).toEqual({ checkedAt: startTime, broken: [] });
  await keepHistory(handle, 'checked');
});

test('says what is broken, in tables and among processes', async () => {
  await make.coupon(world.db);
  await execute(world.db, 'UPDATE coupons SET used_count = 1');
  await execute(
    world.db,
    `INSERT INTO parked_processes VALUES ('checkout:gone', 'checkout', 'x', 'lost', 'lost', now() - interval '1 hour', 'run')`,
  );
  const { found, currentDetails } = await run();
  const invariants = ['coupons.uses-are-counted', 'processes.parked-are-listed'];
  expect(found).toEqual({ broken: 2, invariants });
  expect(currentDetails).toContain(`2 rows or processes break an invariant**: ${invariants.join(', ')}.`);
});

import { latestInvariantRun } from '../../../../db/administration/operations/invariant-run.reads';
import { execute } from '../../../../db/sql/query';
import { invariantCheck } from '../../../../workflows/administration/operations/invariant-check.job';
import { make } from '../../../support/builders/make';
import { detailsOf, startJob } from '../../../support/worlds/run-job';
import { ownWorld } from '../../../support/worlds/world';

const world = ownWorld({ queues: ['batch', 'long'] });

async function run() {
  const handle = await startJob(world.temporal, invariantCheck);
  const found: unknown = await handle.result();
  const { startTime } = await handle.describe();
  return { found, currentDetails: await detailsOf(handle), startTime };
}

test('says that everything holds, and keeps it under the start of the run', async () => {
  const { found, currentDetails, startTime } = await run();
  expect(found).toEqual({ done: 0, words: 'All invariants hold.' });
  expect(currentDetails).toBe('All invariants hold.');
  expect(await latestInvariantRun(world.db)).toEqual({ checkedAt: startTime, broken: [] });
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
  expect(found).toMatchObject({ done: 2 });
  expect(currentDetails).toContain(`2 rows or processes break an invariant**: ${invariants.join(', ')}.`);
});

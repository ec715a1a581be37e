import { leadershipPoolWeeklyProcess } from '../../../../workflows/partners/pool/leadership-pool-weekly.contract';
import { startWorld, type World } from '../../../support/worlds/world';
import { duePools } from './due-pools';

let world: World;
beforeAll(async () => {
  // Else a period that has just closed would make the test wait for an hour.
  const variables = { POLICY_POOL_SETTLE_MINUTES: '1' };
  world = await startWorld({ queues: ['interactive', 'batch', 'long'], variables });
});
afterAll(() => world.teardown());

test('the schedule starts every period that is missing since the first partner joined once, also when it fires twice at once', async () => {
  const { expected, started, completed } = await duePools(world, 'WEEKLY', leadershipPoolWeeklyProcess);
  expect(started).toEqual(expected);
  expect(completed).toEqual(expected);
});

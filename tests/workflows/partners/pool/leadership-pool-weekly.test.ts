import { leadershipPoolWeekly } from '../../../../workflows/partners/pool/leadership-pool.job';
import { ownSkippingWorld } from '../../../support/worlds/skipping-world';
import { duePools } from './due-pools';

// Periods that are due at the same time are counted one after the other, minutes apart.
const world = ownSkippingWorld({ queues: ['interactive', 'batch', 'long'] });

test('the schedule starts every period that is missing since the first partner joined once, also when it fires twice at once', async () => {
  const { expected, started, completed } = await duePools(world, 'WEEKLY', leadershipPoolWeekly);
  expect(started).toEqual(expected);
  expect(completed).toEqual(expected);
});

import { refundSettled } from '../../../../workflows/commerce/refund/refund-request.contract';
import { reject } from '../../../support/builders/refunding';
import { eventually } from '../../../support/checks/eventually';
import { violations } from '../../../support/checks/violations';
import { FakeBank } from '../../../support/fakes/fake-bank';
import { startSkippingWorld, type SkippingWorld } from '../../../support/worlds/skipping-world';
import { asked } from './refund-processes';

let world: SkippingWorld;
let readings = 0;
/** Delays the answer of a reading, after it has read. */
let held: Promise<void> | undefined;

beforeAll(async () => {
  world = await startSkippingWorld({
    fakes: (real) => ({
      refundStanding: async (request) => {
        const state = await real.refundStanding(request);
        readings++;
        await held;
        return state;
      },
    }),
  });
});
afterAll(async () => {
  expect(await violations(world.db)).toEqual([]);
  await world.teardown();
});

test('a message that comes while the state is being read has it read again', async () => {
  const one = await asked(world, new FakeBank());
  let release: () => void = () => undefined;
  await eventually(() => expect(readings).toBe(1));
  held = new Promise((resolve) => (release = resolve));
  await one.process.signal(refundSettled);
  await eventually(() => expect(readings).toBe(2));

  // Decided after the second reading, by other means than the process.
  await reject(world.db, one);
  await one.process.signal(refundSettled);
  // The message reaches the process with the next heartbeat of its task, while the reading still goes on.
  await eventually(async () => {
    const { events = [] } = await one.process.fetchHistory();
    const all = events ?? [];
    expect(all.filter((event) => event.workflowExecutionSignaledEventAttributes)).toHaveLength(2);
    const last = all.findLastIndex((event) => event.workflowExecutionSignaledEventAttributes);
    expect(all.slice(last).some((event) => event.workflowTaskStartedEventAttributes)).toBe(true);
  });
  held = undefined;
  release();
  expect(await one.process.result()).toBe('REJECTED');
});

import { startProcesses } from '../../workers/start';
import { webhookSweepProcess } from '../../workflows/commerce/webhook/webhook-sweep.contract';
import { commissionMaturation } from '../../workflows/partners/maturation/commission-maturation.job';
import { eventually } from '../support/checks/eventually';
import { startJob } from '../support/worlds/run-job';
import { ownWorld } from '../support/worlds/world';

let running = 0;
let end: () => void = () => undefined;
const ended = new Promise<void>((resolve) => (end = resolve));

/** Every job lasts until `end`. */
const world = ownWorld({
  queues: ['batch', 'long'],
  fakes: () => ({
    runJob: async () => {
      running++;
      await ended;
      return { isDone: true, done: 0, words: 'Nothing.' };
    },
  }),
});

test('while long work has taken all of its slots, the sweep of the minute runs', async () => {
  const handles = [];
  for (const as of ['one', 'two', 'three', 'four', 'five'])
    handles.push(await startJob(world.temporal, commissionMaturation, { as }));
  await eventually(() => expect(running).toBe(4));
  await startProcesses(world.temporal)(webhookSweepProcess, {});
  expect(await world.temporal.workflow.getHandle(webhookSweepProcess.id({})).result()).toEqual({
    started: 0,
  });
  expect(running).toBe(4);

  end();
  for (const handle of handles) await handle.result();
  expect(running).toBe(5);
});

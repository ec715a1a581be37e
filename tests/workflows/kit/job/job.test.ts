import { cancellationSignal } from '@temporalio/activity';
import { WorkflowFailedError } from '@temporalio/client';
import { jobActivities } from '../../../../activities/administration/job/job.activities';
import type { JobWork } from '../../../../activities/administration/job/job-work';
import { execute, rows } from '../../../../db/sql/query';
import type { JobResult } from '../../../../workflows/kit/job/job.contract';
import {
  counting,
  countingWork,
  makeNumbers,
  numbers,
  upTo,
} from '../../../activities/administration/job/counting';
import { eventually } from '../../../support/checks/eventually';
import { keepHistory } from '../../../support/checks/histories';
import { detailsOf, startJob } from '../../../support/worlds/run-job';
import { ownWorld } from '../../../support/worlds/world';

let work: JobWork = countingWork(1);
let turnMs = 60_000;
const signals: AbortSignal[] = [];

const world = ownWorld({
  queues: ['batch', 'long'],
  fakes: () => ({
    runJob: (turn) => {
      signals.push(cancellationSignal());
      return jobActivities({ longDb: world.db, works: { counting: work }, turnMs }).runJob(turn);
    },
  }),
});
beforeAll(() => makeNumbers(world.owner));
beforeEach(async () => {
  turnMs = 60_000;
  await execute(world.db, 'DELETE FROM numbers');
});
afterEach(() => execute(world.db, 'DELETE FROM job_runs'));

/** Keeps the chunk of a number open, with its writes, until `open`. */
function gateAt(number: number) {
  let open: () => void = () => undefined;
  let isReached = false;
  const gate = new Promise<void>((resolve) => (open = resolve));
  const afterWrite = async (n: number): Promise<void> => {
    if (n !== number) return;
    isReached = true;
    await gate;
  };
  const reached = (): Promise<void> => eventually(() => expect(isReached).toBe(true));
  return { afterWrite, reached, open: () => open() };
}

test('a run says how far it is, and is stored under its time', async () => {
  work = countingWork(3);
  const handle = await startJob(world.temporal, counting);
  expect(await handle.result()).toEqual({ done: 3, words: 'Numbers: 3' });
  expect(await detailsOf(handle)).toBe('Numbers: 3');
  const { startTime } = await handle.describe();
  const run = startTime.toISOString();
  expect(await rows(world.db, 'SELECT job, run, state FROM job_runs')).toEqual([
    { job: 'counting', run, state: 'DONE' },
  ]);
  await keepHistory(handle, 'done');
});

test('a worker that stops in a chunk: another one goes on behind it, and nothing is done twice', async () => {
  const gate = gateAt(3);
  work = countingWork(6, gate.afterWrite);
  const handle = await startJob(world.temporal, counting);
  await gate.reached();
  const stopped = world.rest();
  await eventually(() => expect(signals.at(-1)?.aborted).toBe(true));
  gate.open();
  await stopped;
  expect(await numbers(world.db)).toEqual([1, 2, 3]);
  await world.work();
  expect(await handle.result()).toEqual({ done: 6, words: 'Numbers: 6' });
  expect(await numbers(world.db)).toEqual(upTo(6));
});

test('two processes of one time at once do everything once', async () => {
  work = countingWork(30);
  const run = { due: '2026-03-01T00:10:00.000Z', at: '2026-03-01T00:10:01.000Z' };
  const handles = await Promise.all(
    ['one', 'two'].map((as) => startJob(world.temporal, counting, { as, run })),
  );
  const results = await Promise.all(handles.map((handle) => handle.result() as Promise<JobResult>));
  expect(results.map(({ done }) => done)).toEqual([30, 30]);
  expect(await numbers(world.db)).toEqual(upTo(30));
  const again = await startJob(world.temporal, counting, { as: 'three', run });
  expect(await again.result()).toEqual({ done: 30, words: 'Numbers: 30' });
  expect(await numbers(world.db)).toEqual(upTo(30));
});

test('goes on in a new history where it was, in the same run', async () => {
  turnMs = 0;
  work = countingWork(103);
  const handle = await startJob(world.temporal, counting);
  expect(await handle.result()).toEqual({ done: 103, words: 'Numbers: 103' });
  expect(await numbers(world.db)).toEqual(upTo(103));
  expect(await rows(world.db, 'SELECT done FROM job_runs')).toEqual([{ done: 103 }]);
  const { runId } = await world.temporal.workflow.getHandle(counting.id).describe();
  expect(runId).not.toBe(handle.firstExecutionRunId);
  await keepHistory(handle, 'continues', handle.firstExecutionRunId);
  await keepHistory(handle, 'continued', runId);
});

test('a run that is cancelled ends between two chunks, and a later one of its time goes on', async () => {
  const gate = gateAt(2);
  work = countingWork(4, gate.afterWrite);
  const run = { due: '2026-03-02T00:10:00.000Z', at: '2026-03-02T00:10:01.000Z' };
  const handle = await startJob(world.temporal, counting, { run });
  await gate.reached();
  await handle.cancel();
  await eventually(() => expect(signals.at(-1)?.aborted).toBe(true));
  expect((await handle.describe()).status.name).toBe('RUNNING');
  gate.open();
  await expect(handle.result()).rejects.toThrow(WorkflowFailedError);
  expect((await handle.describe()).status.name).toBe('CANCELLED');
  expect(await numbers(world.db)).toEqual([1, 2]);
  await keepHistory(handle, 'cancelled');
  expect(await (await startJob(world.temporal, counting, { run })).result()).toMatchObject({ done: 4 });
  expect(await numbers(world.db)).toEqual(upTo(4));
});

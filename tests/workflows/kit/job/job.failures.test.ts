import { WorkflowFailedError } from '@temporalio/client';
import type { JobTurn } from '../../../../workflows/kit/job/job.contract';
import { counting } from '../../../activities/administration/job/counting';
import { keepHistory } from '../../../support/checks/histories';
import { startJob } from '../../../support/worlds/run-job';
import { ownSkippingWorld } from '../../../support/worlds/skipping-world';

let failures = 0;
const calls: { due: string; at: string }[] = [];

const world = ownSkippingWorld({
  queues: ['batch', 'long'],
  fakes: () => ({
    runJob: ({ due, at }): Promise<JobTurn> => {
      calls.push({ due, at });
      return calls.length <= failures
        ? Promise.reject(new Error('the database is away'))
        : Promise.resolve({ isDone: true, done: 7, words: 'Numbers: 7' });
    },
  }),
});
beforeEach(() => calls.splice(0));

test('a turn that fails is tried again, for the same time', async () => {
  failures = 12;
  const handle = await startJob(world.temporal, counting);
  expect(await handle.result()).toEqual({ done: 7, words: 'Numbers: 7' });
  expect(calls).toHaveLength(13);
  expect(new Set(calls.map(({ due, at }) => `${due} ${at}`)).size).toBe(1);
});

test('a job that fails for an hour fails its run, which names the cause', async () => {
  failures = Infinity;
  const handle = await startJob(world.temporal, counting);
  const failure = await handle.result().catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(WorkflowFailedError);
  expect(String((failure as WorkflowFailedError).cause?.cause)).toContain('the database is away');
  expect(calls).toHaveLength(20);
  const { startTime, closeTime } = await handle.describe();
  const minutes = (Number(closeTime) - startTime.getTime()) / 60_000;
  expect(minutes).toBeGreaterThan(40);
  expect(minutes).toBeLessThan(90);
  await keepHistory(handle, 'failed');
});

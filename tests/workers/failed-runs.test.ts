import { ApplicationFailure } from '@temporalio/common';
import { scheduleFigures } from '../../workers/observe/schedule-figures';
import { schedules } from '../../workers/schedule-table';
import { reconcileSchedules } from '../../workers/schedules';
import { createWorkers } from '../../workers/workers';
import type { JobActivities } from '../../workflows/kit/job/job.contract';
import { workflowBundle } from '../support/run/bundle';
import { eventually } from '../support/checks/eventually';
import { connectTemporal, type TestTemporal } from '../support/servers/temporal';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

test('a run that failed is counted for its schedule', async () => {
  await reconcileSchedules(temporal.client);
  const failedRuns = async () =>
    Object.fromEntries((await scheduleFigures(temporal.client)).map(({ id, failed }) => [id, failed]));
  const none = Object.fromEntries(schedules.map(({ id }) => [id, 0]));
  expect(await failedRuns()).toEqual(none);
  const activities: JobActivities = {
    runJob: ({ job }) =>
      job === 'kyc-expiry'
        ? Promise.reject(ApplicationFailure.nonRetryable('Verifications that could not be changed: one'))
        : Promise.resolve({ isDone: true, done: 0, words: 'Nothing.' }),
  };
  const workers = await createWorkers({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    queues: ['batch', 'long'],
    poolMax: 20,
    callLimits: {},
    workflowBundle: workflowBundle(),
    activities,
  });
  const ends = Promise.all(workers.map((one) => one.run()));
  await temporal.client.schedule.getHandle('kyc-expiry').trigger();
  await eventually(async () => expect(await failedRuns()).toEqual({ ...none, 'kyc-expiry': 1 }));
  for (const one of workers) one.shutdown();
  await ends;
});

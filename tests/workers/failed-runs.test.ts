import { Worker } from '@temporalio/worker';
import { scheduleFigures } from '../../workers/observe/schedule-figures';
import { schedules } from '../../workers/schedule-table';
import { reconcileSchedules } from '../../workers/schedules';
import type { KycExpiryActivities } from '../../workflows/kyc/expiry/kyc-expiry.contract';
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
  const done = { changed: 0, after: null };
  const activities: KycExpiryActivities = {
    expireVerifications: () => Promise.resolve({ ...done, failed: ['one'] }),
    tellOfExpiry: () => Promise.resolve(done),
  };
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    workflowBundle: workflowBundle(),
    taskQueue: 'batch',
    activities: { ...activities },
  });
  await worker.runUntil(async () => {
    await temporal.client.schedule.getHandle('kyc-expiry').trigger();
    await eventually(async () => expect(await failedRuns()).toEqual({ ...none, 'kyc-expiry': 1 }));
  });
});

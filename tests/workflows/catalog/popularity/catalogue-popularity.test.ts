import { Worker } from '@temporalio/worker';
import {
  cataloguePopularityProcess,
  type CataloguePopularityActivities,
  type RecountedBatch,
} from '../../../../workflows/catalog/popularity/catalogue-popularity.contract';
import { LONG_QUEUE } from '../../../../workflows/kit/queues';
import { workflowBundle } from '../../../support/run/bundle';
import { keepHistory } from '../../../support/checks/histories';
import { connectTemporal, type TestTemporal } from '../../../support/servers/temporal';

/** Of the process as well, so that one worker serves both. */
const taskQueue = LONG_QUEUE;
let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

/** Runs the process over these batches, one after another; an error among them is thrown once. */
async function run(batches: (RecountedBatch | Error)[]) {
  const calls: string[] = [];
  const activities: CataloguePopularityActivities = {
    recountPopularity({ at }) {
      calls.push(at);
      const batch = batches.shift();
      return batch instanceof Error
        ? Promise.reject(batch)
        : Promise.resolve(batch ?? { changed: 0, full: false });
    },
  };
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    workflowBundle: workflowBundle(),
    taskQueue,
    activities: { ...activities },
  });
  return worker.runUntil(async () => {
    const handle = await temporal.client.workflow.start(cataloguePopularityProcess.type, {
      workflowId: cataloguePopularityProcess.id({}),
      taskQueue,
      args: [{}],
    });
    const found: unknown = await handle.result();
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return { found, calls, currentDetails, handle };
  });
}

test('continues until a batch is not full, all of them for the same day', async () => {
  const { found, calls, currentDetails, handle } = await run([
    { changed: 2_000, full: true },
    { changed: 2_000, full: true },
    { changed: 12, full: false },
    { changed: 99, full: false },
  ]);
  expect(found).toEqual({ changed: 4_012 });
  expect(calls).toHaveLength(3);
  expect(new Set(calls).size).toBe(1);
  expect(currentDetails).toBe('Products whose popularity changed: 4012');
  await keepHistory(handle, 'recounted');
});

test('waits for a database that is briefly unavailable', async () => {
  const { found, calls } = await run([new Error('away'), { changed: 3, full: false }]);
  expect(found).toEqual({ changed: 3 });
  expect(calls).toHaveLength(2);
});

import { Worker } from '@temporalio/worker';
import {
  analyticsRollupProcess,
  type RolledUpTurn,
} from '../../../../workflows/administration/analytics/analytics-rollup.contract';
import { keepHistory } from '../../../support/checks/histories';
import { workflowBundle } from '../../../support/run/bundle';
import { connectTemporal, type TestTemporal } from '../../../support/servers/temporal';

const taskQueue = 'analytics-rollup-test';
let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

/** Runs the process over so many turns of five facts; the error, if any, is thrown first. */
async function run(turns: number, failure?: Error) {
  let calls = 0;
  let failing = failure;
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    workflowBundle: workflowBundle(),
    taskQueue,
    activities: {
      rollUpFacts(): Promise<RolledUpTurn> {
        const error = failing;
        failing = undefined;
        if (error) return Promise.reject(error);
        calls++;
        return Promise.resolve({ facts: 5, isDone: calls === turns });
      },
    },
  });
  return worker.runUntil(async () => {
    const handle = await temporal.client.workflow.start(analyticsRollupProcess.type, {
      workflowId: analyticsRollupProcess.id({}),
      taskQueue,
      args: [{}],
    });
    const found: unknown = await handle.result();
    return { found, calls, handle };
  });
}

test('goes on until no fact is left, after a failure too', async () => {
  const { found, calls, handle } = await run(3, new Error('away'));
  expect(found).toEqual({ facts: 15 });
  expect(calls).toBe(3);
  await keepHistory(handle, 'rolled-up');
});

test('continues in a new history when there is much, and keeps its count', async () => {
  const { found, calls, handle } = await run(103);
  expect(found).toEqual({ facts: 515 });
  expect(calls).toBe(103);
  await keepHistory(handle, 'continued', handle.firstExecutionRunId);
});

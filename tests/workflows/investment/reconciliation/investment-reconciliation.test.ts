import { Worker } from '@temporalio/worker';
import {
  investmentReconciliationProcess,
  type InvestmentFindings,
} from '../../../../workflows/investment/reconciliation/investment-reconciliation.contract';
import { LONG_QUEUE } from '../../../../workflows/kit/queues';
import { keepHistory } from '../../../support/checks/histories';
import { workflowBundle } from '../../../support/run/bundle';
import { connectTemporal, type TestTemporal } from '../../../support/servers/temporal';

/** Of the process as well, so that one worker serves both. */
const taskQueue = LONG_QUEUE;
let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

/** Runs the process with an activity that answers these findings. */
async function run(findings: InvestmentFindings) {
  const asked: string[] = [];
  const refreshed: string[] = [];
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    workflowBundle: workflowBundle(),
    taskQueue,
    activities: {
      reconcileInvestments: ({ at }: { at: string }) => {
        asked.push(at);
        return Promise.resolve(findings);
      },
      refreshStrategyReturns: ({ at }: { at: string }) => {
        refreshed.push(at);
        return Promise.resolve({ changed: 1 });
      },
    },
  });
  return worker.runUntil(async () => {
    const handle = await temporal.client.workflow.start(investmentReconciliationProcess.type, {
      workflowId: investmentReconciliationProcess.id({}),
      taskQueue,
      args: [{}],
    });
    const found: unknown = await handle.result();
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    const { startTime } = await handle.describe();
    return { found, asked, refreshed, currentDetails, startTime: startTime.toISOString(), handle };
  });
}

test.each([
  [0, 'What providers reported is what is held.'],
  [7, '**7 differences.** GET /admin/investment/differences lists them.'],
])('says how many differences there are: %i', async (differences, details) => {
  const { found, asked, refreshed, currentDetails, startTime, handle } = await run({ differences });
  expect(found).toEqual({ differences });
  expect([asked, refreshed]).toEqual([[startTime], [startTime]]);
  expect(currentDetails).toBe(details);
  if (differences > 0) await keepHistory(handle, 'differences');
});

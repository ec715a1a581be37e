import { Worker } from '@temporalio/worker';
import {
  ledgerReconciliationProcess,
  type LedgerFindings,
} from '../../../workflows/ledger/ledger-reconciliation.contract';
import { LONG_QUEUE } from '../../../workflows/kit/queues';
import { workflowBundle } from '../../support/run/bundle';
import { keepHistory } from '../../support/checks/histories';
import { connectTemporal, type TestTemporal } from '../../support/servers/temporal';

/** Of the process as well, so that one worker serves both. */
const taskQueue = LONG_QUEUE;
let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

/** Runs the process with an activity that answers these findings. */
async function run(findings: LedgerFindings) {
  const asked: string[] = [];
  const reconcileLedger = async ({ at }: { at: string }) => {
    asked.push(at);
    return findings;
  };
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    workflowBundle: workflowBundle(),
    taskQueue,
    activities: { reconcileLedger },
  });
  return worker.runUntil(async () => {
    const handle = await temporal.client.workflow.start(ledgerReconciliationProcess.type, {
      workflowId: ledgerReconciliationProcess.id({}),
      taskQueue,
      args: [{}],
    });
    const found: unknown = await handle.result();
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    const { startTime } = await handle.describe();
    return { found, asked, currentDetails, startTime: startTime.toISOString(), handle };
  });
}

test('says that all is well, and names the comparison after the run', async () => {
  const { found, asked, currentDetails, startTime, handle } = await run({
    drifts: 0,
    unbalancedTransfers: 0,
  });
  expect(found).toEqual({ drifts: 0, unbalancedTransfers: 0 });
  expect(asked).toEqual([startTime]);
  expect(currentDetails).toBe('Every balance is the sum of its entries.');
  await keepHistory(handle, 'compared');
});

test.each([
  { drifts: 3, unbalancedTransfers: 0 },
  { drifts: 0, unbalancedTransfers: 1 },
])('says what differs: %j', async (findings) => {
  const { found, currentDetails } = await run(findings);
  expect(found).toEqual(findings);
  expect(currentDetails).toContain(
    `${findings.drifts} balances differ from their entries; ${findings.unbalancedTransfers} transfers do not sum to zero`,
  );
});

import { WorkflowUpdateStage, type WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { bundleWorkflowCode, DefaultLogger, Worker } from '@temporalio/worker';
import { abandonStep, retryStep, type ParkedProcess } from '../../workflows/kit/parking.contract';
import { eventually } from '../support/checks/eventually';
import { connectTemporal, type TestTemporal } from '../support/servers/temporal';
import { steps } from './parking-waits.workflow';

const taskQueue = 'parking-waits';
let temporal: TestTemporal;
let worker: Worker;
let working: Promise<void>;
/** The reasons for which processes are parked. */
let parked: string[];
/** Steps that fail. */
let failing: Set<string>;

beforeAll(async () => {
  temporal = await connectTemporal();
  worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    workflowBundle: await bundleWorkflowCode({
      workflowsPath: require.resolve('./parking-waits.workflow'),
      logger: new DefaultLogger('ERROR'),
    }),
    sinks: { parking: { retryEnded: { fn: () => undefined } } },
    taskQueue,
    activities: {
      work(step: string) {
        if (failing.has(step)) throw ApplicationFailure.nonRetryable('the disk is full', 'DiskFull');
      },
      park: ({ reason }: ParkedProcess) => void parked.push(reason),
      unpark: () => void parked.pop(),
    },
  });
  working = worker.run();
});
afterAll(async () => {
  worker.shutdown();
  await working;
  await temporal.close();
});
beforeEach(() => {
  parked = [];
  failing = new Set();
});

const started = (type: string, workflowId: string): Promise<WorkflowHandle> =>
  temporal.client.workflow.start(type, { workflowId, taskQueue });

test.each([
  { decision: retryStep, end: 'DONE' },
  { decision: abandonStep, end: 'ABANDONED' },
])(
  '$decision.name ends the wait also while an update waits for the parked step',
  async ({ decision, end }) => {
    failing.add('only');
    const process = await started('awaited', decision.name);
    const waiting = await process.startUpdate(steps, { waitForStage: WorkflowUpdateStage.ACCEPTED });
    await eventually(() => expect(parked).toEqual(['Could not do it.']));
    failing.clear();
    await process.executeUpdate(decision, { args: [{ noteId: null }] });
    expect(await waiting.result()).toBe(end);
    expect(await process.result()).toBe(end);
    expect(parked).toEqual([]);
  },
);

test('two steps that fail at once are an error of the code: no decision can be about both', async () => {
  failing.add('one').add('other');
  const process = await started('atOnce', 'at-once');
  await eventually(async () => {
    const { events } = await process.fetchHistory();
    const failures = events?.flatMap(
      (event) => event.workflowTaskFailedEventAttributes?.failure?.message ?? [],
    );
    expect(failures).toContainEqual(expect.stringContaining('only the main flow of a process may park'));
  });
  await process.terminate();
});

test('the next runs of a process know its label, and the request that started it', async () => {
  const memo = { label: 'ORD-2026-00000339 · checkout', requestId: 'x' };
  const started = { workflowId: 'remembering', taskQueue, args: [2], memo };
  expect(await temporal.client.workflow.execute('remembering', started)).toEqual(memo);
});

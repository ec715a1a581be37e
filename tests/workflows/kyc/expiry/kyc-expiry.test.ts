import { WorkflowFailedError } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import {
  kycExpiryProcess,
  type KycExpiryActivities,
  type KycExpiryBatch,
  type KycExpiryBatchResult,
} from '../../../../workflows/kyc/expiry/kyc-expiry.contract';
import { workflowBundle } from '../../../support/run/bundle';
import { keepHistory } from '../../../support/checks/histories';
import { connectTemporal, type TestTemporal } from '../../../support/servers/temporal';

const taskQueue = 'kyc-expiry-test';
let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

type Answers = (KycExpiryBatchResult | Error)[];

/** Runs the process over these batches; an error among them is thrown once. */
async function run({ expire, tell }: { expire: Answers; tell: Answers }) {
  const calls: (KycExpiryBatch & { step: string })[] = [];
  const answering = (step: string, answers: Answers) => (batch: KycExpiryBatch) => {
    calls.push({ step, ...batch });
    const answer = answers.shift();
    return answer instanceof Error
      ? Promise.reject(answer)
      : Promise.resolve(answer ?? { changed: 0, after: null });
  };
  const activities: KycExpiryActivities = {
    expireVerifications: answering('EXPIRE', expire),
    tellOfExpiry: answering('TELL', tell),
  };
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    workflowBundle: workflowBundle(),
    taskQueue,
    activities: { ...activities },
  });
  return worker.runUntil(async () => {
    const first = await temporal.client.workflow.start(kycExpiryProcess.type, {
      workflowId: kycExpiryProcess.id({}),
      taskQueue,
      args: [{}],
    });
    const found: unknown = await first.result().catch((error: unknown) => {
      if (error instanceof WorkflowFailedError) return error.cause;
      throw error;
    });
    const handle = temporal.client.workflow.getHandle(kycExpiryProcess.id({}));
    const { currentDetails } = await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata');
    return { found, calls, currentDetails, handle, firstRunId: first.firstExecutionRunId };
  });
}

/** A number of full batches, and a last one of `changed`. */
const batches = (full: number, changed: number): Answers => [
  ...Array.from({ length: full }, (_, n) => ({ changed: 10, after: `batch ${n}` })),
  { changed, after: null },
];

test('ends what is over, batch by batch, then tells of what ends soon', async () => {
  const { found, calls, currentDetails, handle } = await run({ expire: batches(2, 3), tell: batches(1, 4) });
  expect(found).toEqual({ expired: 23, told: 14 });
  expect(calls.map(({ step, after }) => [step, after])).toEqual([
    ['EXPIRE', null],
    ['EXPIRE', 'batch 0'],
    ['EXPIRE', 'batch 1'],
    ['TELL', null],
    ['TELL', 'batch 0'],
  ]);
  expect(new Set(calls.map(({ at }) => at)).size).toBe(1);
  expect(currentDetails).toBe('Verifications that expired: 23; users told that theirs ends soon: 14');
  await keepHistory(handle, 'both-steps');
});

test.each([
  { what: 'in the first step', expire: 45, tell: 0 },
  { what: 'at the turn of the steps', expire: 19, tell: 1 },
  { what: 'in the second step', expire: 0, tell: 45 },
])('continues in a new history $what, where it was and for the same time', async ({ what, expire, tell }) => {
  const { found, calls, handle, firstRunId } = await run({
    expire: batches(expire, 1),
    tell: batches(tell, 2),
  });
  expect(found).toEqual({ expired: 10 * expire + 1, told: 10 * tell + 2 });
  expect(calls).toHaveLength(expire + tell + 2);
  expect(new Set(calls.map(({ step, after }) => `${step} ${after}`)).size).toBe(calls.length);
  expect(new Set(calls.map(({ at }) => at)).size).toBe(1);
  const { runId } = await handle.describe();
  expect(runId).not.toBe(firstRunId);
  if (what === 'at the turn of the steps') await keepHistory(handle, 'continues', firstRunId);
  await keepHistory(handle, `continued-${what.replaceAll(' ', '-')}`, runId);
});

test('waits for a database that is briefly unavailable', async () => {
  const { found, calls } = await run({ expire: [new Error('away'), { changed: 2, after: null }], tell: [] });
  expect(found).toEqual({ expired: 2, told: 0 });
  expect(calls).toHaveLength(3);
});

test('goes on past verifications that cannot be changed, in both steps and in a new history, and then fails with their ids', async () => {
  const { found, calls, handle } = await run({
    expire: [{ changed: 1, after: 'batch 0', failed: ['one'] }, ...batches(19, 2)],
    tell: [{ changed: 3, after: null, failed: ['two', 'three'] }],
  });
  expect(String(found)).toContain('Verifications that could not be changed: one, two, three');
  expect(calls.filter(({ step }) => step === 'TELL')).toHaveLength(1);
  await keepHistory(handle, 'failed-for-some');
});

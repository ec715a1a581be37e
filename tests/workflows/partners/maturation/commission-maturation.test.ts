import { Worker } from '@temporalio/worker';
import type { MaturedBatches } from '../../../../workflows/partners/maturation/commission-maturation.contract';
import { commissionMaturationProcess } from '../../../../workflows/partners/maturation/commission-maturation.contract';
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

/** Runs the process over so many turns of two commissions; the error, if any, is thrown first. */
async function run(turns: number, failure?: Error) {
  const calls: { at: string; after: MaturedBatches['after'] }[] = [];
  let failing = failure;
  const worker = await Worker.create({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    workflowBundle: workflowBundle(),
    taskQueue,
    activities: {
      matureDueCommissions(call: (typeof calls)[number]): Promise<MaturedBatches> {
        const error = failing;
        failing = undefined;
        if (error) return Promise.reject(error);
        calls.push(call);
        const id = `id ${calls.length}`;
        return Promise.resolve({
          matured: 2,
          after: calls.length < turns ? { maturesAt: '2026-01-01', id } : null,
        });
      },
    },
  });
  return worker.runUntil(async () => {
    const handle = await temporal.client.workflow.start(commissionMaturationProcess.type, {
      workflowId: commissionMaturationProcess.id({}),
      taskQueue,
      args: [{}],
    });
    const found: unknown = await handle.result();
    return { found, calls, handle };
  });
}

test('goes on behind the last commission until none is due, all for the time of its start', async () => {
  const { found, calls, handle } = await run(3, new Error('away'));
  expect(found).toEqual({ matured: 6 });
  expect(calls.map(({ after }) => after?.id ?? null)).toEqual([null, 'id 1', 'id 2']);
  expect(new Set(calls.map(({ at }) => at)).size).toBe(1);
  await keepHistory(handle, 'matured');
});

test('continues in a new history when there is much, and forgets neither its time nor its place', async () => {
  const { found, calls, handle } = await run(103);
  expect(found).toEqual({ matured: 206 });
  expect(calls).toHaveLength(103);
  expect(calls[100]!.after?.id).toBe('id 100');
  expect(new Set(calls.map(({ at }) => at)).size).toBe(1);
  await keepHistory(handle, 'continued', handle.firstExecutionRunId);
});

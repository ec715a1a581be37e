import { v7 } from 'uuid';
import { Processes } from '../../api/http/temporal/temporal';
import { startProcesses } from '../../workers/start';
import { createWorkers } from '../../workers/workers';
import { webhookSweepProcess } from '../../workflows/commerce/webhook/webhook-sweep.contract';
import { sandboxWebhookProcess } from '../../workflows/commerce/sandbox/sandbox-webhook.contract';
import { connectTemporal, type TestTemporal } from '../support/servers/temporal';

let temporal: TestTemporal;
beforeAll(async () => {
  temporal = await connectTemporal();
});
afterAll(() => temporal.close());

/** Nobody serves the queues, so what is started stays until it is ended. */
const end = (workflowId: string) => temporal.client.workflow.getHandle(workflowId).terminate();

const starters = {
  'the API': () => {
    const processes = new Processes(temporal.client);
    return processes.start.bind(processes);
  },
  'a worker': () => startProcesses(temporal.client),
};

describe.each(Object.entries(starters))('%s', (_name, starter) => {
  test('starts a process of one event once, also when that has ended', async () => {
    const event = { eventId: v7(), delayMs: 0 };
    expect(await starter()(sandboxWebhookProcess, event)).toBe('started');
    expect(await starter()(sandboxWebhookProcess, event)).toBe('already started');
    await end(sandboxWebhookProcess.id(event));
    expect(await starter()(sandboxWebhookProcess, event)).toBe('already started');
  });

  test('starts a process that repeats again once it has ended', async () => {
    expect(await starter()(webhookSweepProcess, {})).toBe('started');
    expect(await starter()(webhookSweepProcess, {})).toBe('already started');
    await end(webhookSweepProcess.id({}));
    expect(await starter()(webhookSweepProcess, {})).toBe('started');
    await end(webhookSweepProcess.id({}));
  });
});

test('all workers of a provider’s queue together begin no more calls a second than its limit', async () => {
  const workers = await createWorkers({
    connection: temporal.nativeConnection,
    namespace: temporal.namespace,
    queues: ['providers:sandbox', 'providers:stripe'],
    poolMax: 20,
    callLimits: { 'providers:sandbox': 7 },
    workflowBundle: { code: '' },
    activities: { call: () => Promise.resolve() },
  });
  const limits = workers.map(({ options }) => [options.taskQueue, options.maxTaskQueueActivitiesPerSecond]);
  await Promise.all(workers.map((worker) => worker.runUntil(Promise.resolve())));
  expect(limits).toEqual([
    ['providers:sandbox', 7],
    ['providers:stripe', undefined],
  ]);
});

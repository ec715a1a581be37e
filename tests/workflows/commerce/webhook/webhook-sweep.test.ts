import { ApplicationFailure } from '@temporalio/common';
import { startProcesses } from '../../../../workers/start';
import { outboxSenderProcess } from '../../../../workflows/administration/outbox/outbox-sender.contract';
import {
  webhookSweepProcess,
  type WebhookSweepResult,
} from '../../../../workflows/commerce/webhook/webhook-sweep.contract';
import { keepHistory } from '../../../support/checks/histories';
import { startWorld, type World } from '../../../support/worlds/world';

type Batch = { started: number; full: boolean };

let world: World;
let batches: Batch[];
let asked: string[];
let fails = false;

beforeAll(async () => {
  world = await startWorld({
    queues: ['batch', 'providers:mail'],
    fakes: () => ({
      startForgottenSandboxEvents: ({ at }) => {
        asked.push(at);
        return Promise.resolve({ started: 1 });
      },
      startForgottenWebhooks: ({ at }) => {
        asked.push(at);
        if (fails) return Promise.reject(ApplicationFailure.nonRetryable('No event can be started.'));
        return Promise.resolve(batches.shift() ?? { started: 0, full: true });
      },
    }),
  });
});
afterAll(() => world.teardown());
beforeEach(() => {
  asked = [];
});

async function sweep(): Promise<WebhookSweepResult> {
  await startProcesses(world.temporal)(webhookSweepProcess, {});
  return world.temporal.workflow.getHandle(webhookSweepProcess.id({})).result();
}

test('goes on while there may be more, and counts what it started', async () => {
  batches = [
    { started: 200, full: true },
    { started: 200, full: true },
    { started: 7, full: false },
    { started: 99, full: false },
  ];
  expect(await sweep()).toEqual({ started: 408 });
  expect(asked).toHaveLength(4);
  expect(new Set(asked).size).toBe(1);
  await keepHistory(world.temporal.workflow.getHandle(webhookSweepProcess.id({})), 'webhook-sweep');
});

test('ends after fifty rounds; the rest is for the next minute', async () => {
  batches = [];
  expect(await sweep()).toEqual({ started: 1 });
  expect(asked).toHaveLength(51);
});

test('starts the sender of the outbox again when somebody has ended it, and does not touch one that runs', async () => {
  batches = [{ started: 0, full: false }];
  await sweep();
  const sender = world.temporal.workflow.getHandle(outboxSenderProcess.id({}));
  const { runId } = await sender.describe();
  batches = [{ started: 0, full: false }];
  await sweep();
  expect((await sender.describe()).runId).toBe(runId);
  await sender.terminate('by mistake');
  batches = [{ started: 0, full: false }];
  await sweep();
  const { runId: again, status } = await sender.describe();
  expect([status.name, again === runId]).toEqual(['RUNNING', false]);
});

test('starts the sender before the events, none of which can then keep it from being started', async () => {
  batches = [{ started: 0, full: false }];
  await sweep();
  const sender = world.temporal.workflow.getHandle(outboxSenderProcess.id({}));
  await sender.terminate('by mistake');
  fails = true;
  try {
    await expect(sweep()).rejects.toThrow();
  } finally {
    fails = false;
  }
  expect((await sender.describe()).status.name).toBe('RUNNING');
});

import type { Client } from '@temporalio/client';
import { ensureOutboxSender } from '../../workers/outbox-sender';
import { outboxSenderProcess } from '../../workflows/administration/outbox/outbox-sender.contract';
import { connectTemporal } from '../support/servers/temporal';

let client: Client;
let close: () => Promise<unknown>;
beforeAll(async () => {
  ({ client, close } = await connectTemporal());
});
afterAll(() => close());

const sender = () => client.workflow.getHandle(outboxSenderProcess.id({})).describe();

test('a sender that an earlier release left on a queue without workers is replaced once', async () => {
  await client.workflow.start(outboxSenderProcess.type, {
    workflowId: outboxSenderProcess.id({}),
    taskQueue: 'providers',
    args: [{}],
  });
  await Promise.all([ensureOutboxSender(client), ensureOutboxSender(client), ensureOutboxSender(client)]);
  const replaced = await sender();
  expect([replaced.status.name, replaced.taskQueue]).toEqual(['RUNNING', outboxSenderProcess.queue]);
  await ensureOutboxSender(client);
  expect((await sender()).runId).toBe(replaced.runId);
});

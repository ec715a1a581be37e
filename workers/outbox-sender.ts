import type { Client } from '@temporalio/client';
import { outboxSenderProcess } from '../workflows/administration/outbox/outbox-sender.contract';
import { startProcesses } from './start';

/**
 * Starts the outbox sender unless it runs. If an earlier release left it on a queue that no worker serves any longer,
 * it is terminated first; its unsent messages are in the outbox, so none is lost.
 */
export async function ensureOutboxSender(client: Client): Promise<void> {
  const id = outboxSenderProcess.id({});
  const known = await client.workflow
    .getHandle(id)
    .describe()
    .catch(() => null); // There is no such process.
  if (known?.status.name === 'RUNNING' && known.taskQueue !== outboxSenderProcess.queue)
    await client.workflow
      .getHandle(id, known.runId)
      .terminate('No worker serves its queue any longer.')
      .catch(() => undefined); // Another worker was faster.
  await startProcesses(client)(outboxSenderProcess, {});
}

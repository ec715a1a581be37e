import type { Client } from '@temporalio/client';
import { outboxSenderProcess } from '../workflows/administration/outbox/outbox-sender.contract';
import { startProcesses } from './start';

/**
 * Starts the outbox sender unless it runs. One that an earlier version left on a queue that nobody serves any more is
 * ended first: what it owes stands in the outbox, so nothing is lost.
 */
export async function ensureOutboxSender(client: Client): Promise<void> {
  const id = outboxSenderProcess.id({});
  const known = await client.workflow
    .getHandle(id)
    .describe()
    .catch(() => null); // There is none.
  if (known?.status.name === 'RUNNING' && known.taskQueue !== outboxSenderProcess.queue)
    await client.workflow
      .getHandle(id, known.runId)
      .terminate('No worker serves its queue any more.')
      .catch(() => undefined); // Another worker was faster.
  await startProcesses(client)(outboxSenderProcess, {});
}

import type { Client, Connection } from '@temporalio/client';
import type { StartProcess } from '../activities';
import { startConsumers } from '../activities/administration/domain-event/start-forgotten';
import { registerSearchAttributes } from '../db/program/temporal/search-attributes';
import { outboxSenderProcess } from '../workflows/administration/outbox/outbox-sender.contract';
import type { Queue } from '../workflows/kit/queues';
import { stretched } from '../workflows/kit/limits/slowness';
import { reconcileSchedules } from './schedules';

/** For some fifty calls, one after the other. */
const DEADLINE_MS = 120_000;

interface Preparing {
  connection: Connection;
  client: Client;
  start: StartProcess;
  queues: readonly Queue[];
  log: { warn: (message: string) => void };
}

/**
 * Registers and starts all that has to be there before a worker takes work: the search attributes, the schedules, and,
 * where it has their queues, the sender of messages and the consumers of events. Idempotent.
 */
export function prepareTemporal({ connection, client, start, queues, log }: Preparing): Promise<void> {
  return connection.withDeadline(Date.now() + stretched(DEADLINE_MS), async () => {
    await registerSearchAttributes(connection, client.options.namespace);
    if ((await reconcileSchedules(client)) === 'newer')
      log.warn('a newer worker has set up the schedules; they stay as they are');
    if (queues.includes('providers:mail')) await start(outboxSenderProcess, {});
    if (queues.includes('batch')) await startConsumers(start);
  });
}

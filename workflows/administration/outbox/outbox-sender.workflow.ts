import {
  ActivityFailure,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import { providerQueue } from '../../kit/queues';
import { outboxSenderProcess, type OutboxActivities } from './outbox-sender.contract';

const STRETCH_MS = 600_000;

const { sendOutbox } = proxyActivities<OutboxActivities>({
  taskQueue: providerQueue('mail'),
  startToCloseTimeout: '15 minutes',
  scheduleToCloseTimeout: '30 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  summary: 'Send the messages of the outbox',
});

/** Runs one stretch of sending after the other; after a worker's end the next one runs on another worker. */
export async function outboxSender(): Promise<never> {
  // The summary of the first run is lost when it continues as new.
  setCurrentDetails(outboxSenderProcess.summary({}));
  try {
    const { sent, failed, dead } = await sendOutbox({ forMs: STRETCH_MS });
    setCurrentDetails(`In the last stretch: ${sent} sent, ${failed} tries failed, ${dead} given up.`);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    setCurrentDetails(`Nothing was sent in the last half hour: ${error.cause?.message ?? error.message}`);
  }
  return continueAsNew<typeof outboxSender>();
}

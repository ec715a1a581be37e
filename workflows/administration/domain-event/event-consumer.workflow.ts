import {
  ActivityFailure,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import { EVENTS_QUEUE } from '../../kit/queues';
import {
  eventConsumerProcess,
  type EventConsumerActivities,
  type EventConsumerInput,
} from './event-consumer.contract';

const STRETCH_MS = 600_000;

const { applyEvents } = proxyActivities<EventConsumerActivities>({
  taskQueue: EVENTS_QUEUE,
  startToCloseTimeout: '15 minutes',
  scheduleToCloseTimeout: '30 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  summary: 'Apply events',
});

/** Runs one stretch after the other; after a worker's end the next one runs on another worker. */
export async function eventConsumer({ consumer }: EventConsumerInput): Promise<never> {
  // The summary of the first run is lost when it continues as new.
  setCurrentDetails(eventConsumerProcess.summary({ consumer }));
  try {
    const { applied, failed, parked, dead } = await applyEvents({ consumer, forMs: STRETCH_MS });
    setCurrentDetails(
      `In the last stretch: ${applied} events applied, ${failed} tries failed, ${parked} parked, ${dead} given up with another.`,
    );
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    setCurrentDetails(`Nothing was applied in the last half hour: ${error.cause?.message ?? error.message}`);
  }
  return continueAsNew<typeof eventConsumer>({ consumer });
}

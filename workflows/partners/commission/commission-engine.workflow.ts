import {
  ActivityFailure,
  continueAsNew,
  isCancellation,
  proxyActivities,
  setCurrentDetails,
} from '@temporalio/workflow';
import { ENGINE_QUEUE } from '../../kit/queues';
import {
  commissionEngineProcess,
  type CommissionEngineActivities,
  type CommissionEngineInput,
} from './commission-engine.contract';

const STRETCH_MS = 600_000;

const { takeCommissionEvents } = proxyActivities<CommissionEngineActivities>({
  taskQueue: ENGINE_QUEUE,
  startToCloseTimeout: '15 minutes',
  scheduleToCloseTimeout: '30 minutes',
  heartbeatTimeout: '30 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute' },
  summary: 'Count sales and commissions',
});

/** Runs one stretch after the other; after a worker's end the next one runs on another worker. */
export async function commissionEngine(input: CommissionEngineInput): Promise<'RETIRED'> {
  // The summary of the first run is lost when it continues as new.
  setCurrentDetails(commissionEngineProcess.summary(input));
  try {
    const result = await takeCommissionEvents({ ...input, forMs: STRETCH_MS });
    const { taken, failed, parked } = result;
    setCurrentDetails(
      `In the last stretch: ${taken} events counted, ${failed} tries failed, ${parked} parked.`,
    );
    if (result.isRetired) return 'RETIRED';
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    setCurrentDetails(`Nothing was counted in the last half hour: ${error.cause?.message ?? error.message}`);
  }
  return continueAsNew<typeof commissionEngine>(input);
}

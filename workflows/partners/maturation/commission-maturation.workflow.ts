import { continueAsNew, proxyActivities, setCurrentDetails, workflowInfo } from '@temporalio/workflow';
import { LONG_QUEUE } from '../../kit/queues';
import type {
  CommissionMaturationActivities,
  CommissionMaturationInput,
  CommissionMaturationProgress,
  CommissionMaturationResult,
} from './commission-maturation.contract';

const batches = proxyActivities<CommissionMaturationActivities>({
  taskQueue: LONG_QUEUE,
  startToCloseTimeout: '15 minutes',
  scheduleToCloseTimeout: '3 hours',
  heartbeatTimeout: '15 seconds',
  retry: { initialInterval: '1 second', maximumInterval: '1 minute', maximumAttempts: 20 },
});

/** Steps of one history. */
const ROUNDS = 100;

/**
 * One run. What is due is read from the rows, so a run makes up for those that were missed, and it fails instead of parking
 * when the database is unavailable: the next day's run does the rest.
 */
export async function commissionMaturation({
  progress,
}: CommissionMaturationInput): Promise<CommissionMaturationResult> {
  let run: CommissionMaturationProgress = progress ?? {
    at: workflowInfo().startTime.toISOString(),
    ...{ after: null, matured: 0 },
  };
  for (let round = 0; round < ROUNDS && !workflowInfo().continueAsNewSuggested; round++) {
    const { at } = run;
    const { matured, after } = await batches.matureDueCommissions({ at, after: run.after });
    run = { at, after, matured: run.matured + matured };
    setCurrentDetails(`Commissions that became available: ${run.matured}`);
    if (after === null) return { matured: run.matured };
  }
  return continueAsNew<typeof commissionMaturation>({ progress: run });
}

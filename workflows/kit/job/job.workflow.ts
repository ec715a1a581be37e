import {
  ActivityCancellationType,
  continueAsNew,
  proxyActivities,
  setCurrentDetails,
  workflowInfo,
} from '@temporalio/workflow';
import { LONG_WORK, scheduledFor } from '../proxies';
import type { JobActivities, JobInput, JobResult, JobRun } from './job.contract';

const { runJob } = proxyActivities<JobActivities>({
  ...LONG_WORK,
  // The run has ended only when its last chunk has: until then the schedule starts no other.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
  // For about an hour: a weekly job outlasts an outage too.
  retry: { initialInterval: '1 second', maximumInterval: '5 minutes', maximumAttempts: 20 },
});

/** Turns of one history. */
const TURNS = 100;

/** One run. How far it is stands in `job_runs`, so that neither a new history nor another worker does anything twice. */
export async function job({ job: id, run }: JobInput): Promise<JobResult> {
  const { due, at }: JobRun = run ?? {
    due: scheduledFor(),
    at: workflowInfo().startTime.toISOString(),
  };
  for (let turn = 0; turn < TURNS && !workflowInfo().continueAsNewSuggested; turn++) {
    const { isDone, done, words } = await runJob({ job: id, due, at });
    setCurrentDetails(words);
    if (isDone) return { done, words };
  }
  return continueAsNew<typeof job>({ job: id, run: { due, at } });
}

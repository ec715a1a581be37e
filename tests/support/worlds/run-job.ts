import type { Client, WorkflowHandleWithFirstExecutionRunId } from '@temporalio/client';
import { processOf, type Job, type JobResult, type JobRun } from '../../../workflows/kit/job/job.contract';
import { startOptions } from '../../../workflows/kit/process';

/**
 * Starts a job as its schedule does. `as`: the id of the process, where several run at once; `run`: a run that has begun, or that
 * another process does as well.
 */
export const startJob = (
  { workflow }: Pick<Client, 'workflow'>,
  job: Job,
  { as = job.id, run }: { as?: string; run?: JobRun } = {},
): Promise<WorkflowHandleWithFirstExecutionRunId> =>
  workflow.start(processOf(job).type, {
    ...startOptions(processOf(job), { job: job.id, ...(run && { run }) }),
    workflowId: as,
  });

/** Runs a job to its end; answers what it did. */
export const doJob = async (client: Pick<Client, 'workflow'>, job: Job): Promise<JobResult> =>
  (await (await startJob(client, job)).result()) as JobResult;

/** The details of a process in Temporal's UI. */
export const detailsOf = async (
  handle: Pick<WorkflowHandleWithFirstExecutionRunId, 'query'>,
): Promise<string> =>
  (await handle.query<{ currentDetails: string }>('__temporal_workflow_metadata')).currentDetails;

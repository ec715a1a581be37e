import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { StartProcess } from '../activities';
import { reusePolicy, startOptions } from '../workflows/kit/process';

/** Starts processes for activities and for the worker itself. One that was started before stays as it is. */
export function startProcesses(client: Client): StartProcess {
  return async (process, input) => {
    try {
      await client.workflow.start(process.type, {
        ...startOptions(process, input),
        workflowIdConflictPolicy: 'FAIL',
        workflowIdReusePolicy: reusePolicy(process),
      });
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already started';
      throw error;
    }
  };
}

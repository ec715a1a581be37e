import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import type { StartProcess } from '../activities';
import { reusePolicy, startOptions } from '../workflows/kit/process';

/** Starts processes on behalf of activities and of the worker itself; one that was started before is left alone. */
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

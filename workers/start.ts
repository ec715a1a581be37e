import { WorkflowExecutionAlreadyStartedError, type Client } from '@temporalio/client';
import { TypedSearchAttributes } from '@temporalio/common';
import type { StartProcess } from '../activities';
import { taskTimeoutMs } from '../workflows/kit/process';
import { attributesOf } from '../workflows/kit/search-attributes';

/** Starts processes on behalf of activities and of the worker itself; one that was started before is left alone. */
export function startProcesses(client: Client): StartProcess {
  return async (process, input) => {
    try {
      await client.workflow.start(process.type, {
        workflowId: process.id(input),
        taskQueue: process.queue,
        workflowTaskTimeout: taskTimeoutMs(process.queue),
        args: [input],
        workflowIdConflictPolicy: 'FAIL',
        workflowIdReusePolicy: process.repeatable ? 'ALLOW_DUPLICATE' : 'REJECT_DUPLICATE',
        typedSearchAttributes: new TypedSearchAttributes(attributesOf(process, input)),
        staticSummary: process.summary(input),
      });
      return 'started';
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already started';
      throw error;
    }
  };
}

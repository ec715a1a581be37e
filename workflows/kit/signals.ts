import type { SignalDefinition } from '@temporalio/common';
import { getExternalWorkflowHandle, isCancellation, log } from '@temporalio/workflow';
import type { ProcessDefinition } from './process';

/** Signals another process that its row has changed; returns false if it has ended. */
export async function notify<Input, Result, Key extends keyof Input>(
  process: ProcessDefinition<Input, Result, Key>,
  key: Pick<Input, Key>,
  signal: SignalDefinition,
): Promise<boolean> {
  const workflowId = process.id(key);
  try {
    await getExternalWorkflowHandle(workflowId).signal(signal);
    return true;
  } catch (error) {
    if (isCancellation(error)) throw error;
    log.info('the process is over already', { workflowId });
    return false;
  }
}

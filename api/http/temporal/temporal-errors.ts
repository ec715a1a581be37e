import { isGrpcServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';

const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const FAILED_PRECONDITION = 9;
const ABORTED = 10;
const UNAVAILABLE = 14;

/** Whether Temporal could not be reached, or did not get round to answering. */
export const isAway = (error: unknown): boolean =>
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
  hasCode(error, [DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE]);

/**
 * Whether the server let a question fall because the workflow task that carried it failed: a signal came while the
 * process was about to close, or the process closed under it. Its steps may have been taken all the same, so only a
 * question whose steps can be repeated may be asked again; updates are such questions, by their ids.
 */
export const isDropped = (error: unknown): boolean => hasCode(error, [FAILED_PRECONDITION, ABORTED]);

function hasCode(error: unknown, codes: readonly number[]): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (isGrpcServiceError(at) && codes.includes(at.code)) return true;
  }
  return false;
}

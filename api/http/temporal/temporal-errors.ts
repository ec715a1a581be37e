import { isGrpcServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';

const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const FAILED_PRECONDITION = 9;
const ABORTED = 10;
const UNAVAILABLE = 14;

/** True if Temporal could not be reached or did not answer in time. */
export const isTemporalUnavailable = (error: unknown): boolean =>
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
  hasCode(error, [DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE]);

/**
 * True if the server dropped a call because the workflow task that carried it failed: a signal arrived while the
 * process was closing, or the process closed first. Its steps may have run all the same, so only a call whose steps are
 * idempotent may be repeated. Updates are, because of their ids.
 */
export const isCallDropped = (error: unknown): boolean => hasCode(error, [FAILED_PRECONDITION, ABORTED]);

function hasCode(error: unknown, codes: readonly number[]): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (isGrpcServiceError(at) && codes.includes(at.code)) return true;
  }
  return false;
}

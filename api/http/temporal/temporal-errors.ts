import { isGrpcServiceError, WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { GrpcStatus, TEMPORAL_IS_AWAY } from '../../../workflows/grpc-status';

/** The server's words for a search attribute that is not registered. */
const UNKNOWN_ATTRIBUTE = /no mapping defined for search attribute|search attribute \S+ is not defined/i;

/**
 * True if Temporal could not be reached, did not answer in time, or does not know one of our search attributes yet, which
 * it refuses until this program or another one of its release has registered it.
 */
export const isTemporalUnavailable = (error: unknown): boolean =>
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError ||
  hasCode(error, TEMPORAL_IS_AWAY) ||
  (hasCode(error, [GrpcStatus.INVALID_ARGUMENT]) && namesUnknownAttribute(error));

function namesUnknownAttribute(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (UNKNOWN_ATTRIBUTE.test(at.message)) return true;
  return false;
}

/**
 * True if the server dropped a call because the workflow task that carried it failed: a signal arrived while the
 * process was closing, or the process closed first. Its steps may have run all the same, so only a call whose steps are
 * idempotent may be repeated. Updates are, because of their ids.
 */
export const isCallDropped = (error: unknown): boolean =>
  hasCode(error, [GrpcStatus.FAILED_PRECONDITION, GrpcStatus.ABORTED]);

function hasCode(error: unknown, codes: readonly number[]): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    if (isGrpcServiceError(at) && codes.includes(at.code)) return true;
  }
  return false;
}

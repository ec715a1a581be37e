import { WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { hasGrpcCode, isTemporalAway, lacksAttribute } from '../../../db/program/temporal/away';
import { GrpcStatus } from '../../../workflows/grpc-status';

/**
 * True if Temporal could not be reached, did not answer in time, or does not know one of our search attributes yet, which
 * it refuses until this program or another one of its release has registered it.
 */
export const isTemporalUnavailable = (error: unknown): boolean =>
  error instanceof WorkflowUpdateRPCTimeoutOrCancelledError || isTemporalAway(error) || lacksAttribute(error);

/**
 * True if the server dropped a call because the workflow task that carried it failed: a signal arrived while the
 * process was closing, or the process closed first. Its steps may have run all the same, so only a call whose steps are
 * idempotent may be repeated. Updates are, because of their ids.
 */
export const isCallDropped = (error: unknown): boolean =>
  hasGrpcCode(error, [GrpcStatus.FAILED_PRECONDITION, GrpcStatus.ABORTED]);

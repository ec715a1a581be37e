import { isGrpcServiceError } from '@temporalio/client';
import { TEMPORAL_IS_AWAY } from '../../../workflows/grpc-status';

/** True if a call failed because Temporal is away or throttles it, whatever the call requested. */
export function isTemporalAway(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (isGrpcServiceError(at) && TEMPORAL_IS_AWAY.includes(at.code)) return true;
  return false;
}

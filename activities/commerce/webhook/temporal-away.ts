import { isGrpcServiceError } from '@temporalio/client';

const DEADLINE_EXCEEDED = 4;
const RESOURCE_EXHAUSTED = 8;
const UNAVAILABLE = 14;
const AWAY: readonly number[] = [DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE];

/** True if a call failed because Temporal is away or throttles it, whatever the call asked for. */
export function isTemporalAway(error: unknown): boolean {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (isGrpcServiceError(at) && AWAY.includes(at.code)) return true;
  return false;
}

import { isGrpcServiceError } from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { GrpcStatus, TEMPORAL_IS_AWAY } from '../../../workflows/grpc-status';

/** The server's words for a search attribute that is not registered. */
const UNKNOWN_ATTRIBUTE = /no mapping defined for search attribute|search attribute \S+ is not defined/i;
const UNKNOWN_NAMESPACE = /\bnamespace\b/i;

/** True if Temporal refused a call with one of these codes; errors that wrap its refusal count too. */
export function hasGrpcCode(error: unknown, codes: readonly number[]): boolean {
  for (const at of withCauses(error)) if (isGrpcServiceError(at) && codes.includes(at.code)) return true;
  return false;
}

/** True if a call failed because Temporal is away or throttles it, whatever the call asked for. */
export const isTemporalAway = (error: unknown): boolean => hasGrpcCode(error, TEMPORAL_IS_AWAY);

/** True if Temporal does not know one of our search attributes yet, which it is told at the start of programs. */
export const lacksAttribute = (error: unknown): boolean =>
  hasGrpcCode(error, [GrpcStatus.INVALID_ARGUMENT]) && isWorded(error, UNKNOWN_ATTRIBUTE);

/** True if Temporal does not know the namespace yet, which may be created while programs start. */
export const lacksNamespace = (error: unknown): boolean =>
  error instanceof NamespaceNotFoundError ||
  (hasGrpcCode(error, [GrpcStatus.NOT_FOUND]) && isWorded(error, UNKNOWN_NAMESPACE));

const isWorded = (error: unknown, words: RegExp): boolean =>
  withCauses(error).some(({ message }) => words.test(message));

/** The error and its causes. */
function withCauses(error: unknown): Error[] {
  return error instanceof Error ? [error, ...withCauses(error.cause)] : [];
}

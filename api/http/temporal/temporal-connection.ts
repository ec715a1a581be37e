import {
  Client,
  defaultGrpcRetryOptions,
  type Connection,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import { reopeningConnection } from '../../../db/program/temporal/connection';
import type { TemporalServer } from '../../../db/sql/environment/temporal';
import { GrpcStatus } from '../../../workflows/grpc-status';
import { carryRequestId } from '../observe/request-id';

/** All tries together take about a second; after that the caller gets a 503. */
const TRIES = 4;

type RetryOptions = ReturnType<typeof defaultGrpcRetryOptions>;

/** Called with the server's description of the limit that a call exceeded. */
type OnExhausted = (cause: string) => void;

/**
 * The connection of the API. A call that exceeds one of the server's limits is reported to `onExhausted`, retried, and
 * finally fails like a call without an answer.
 */
export const temporalConnection = (server: TemporalServer, onExhausted?: OnExhausted): Connection =>
  reopeningConnection(server, retryOptions(onExhausted));

/** The retries of a call; every try that exceeds a limit of the server is reported to `onExhausted`. */
export function retryOptions(onExhausted: OnExhausted = () => undefined): RetryOptions {
  const defaults = defaultGrpcRetryOptions({ maxAttempts: TRIES });
  return {
    ...defaults,
    retryableDecider(attempt, status) {
      const code: number = status.code;
      if (code === GrpcStatus.RESOURCE_EXHAUSTED) onExhausted(status.details);
      return defaults.retryableDecider(attempt, status);
    },
  };
}

/** A client whose messages carry the id of the request that caused them. */
export function temporalClient(
  connection: Connection,
  namespace: string,
  interceptors: WorkflowClientInterceptor[] = [],
): Client {
  return new Client({ connection, namespace, interceptors: { workflow: [carryRequestId, ...interceptors] } });
}

import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import { carryRequestId } from '../observe/request-id';

/** Together about a second: longer than a hiccup, shorter than a person’s patience. Then the answer is 503. */
const TRIES = 4;

type RetryOptions = ReturnType<typeof defaultGrpcRetryOptions>;

const RESOURCE_EXHAUSTED = 8;

/** Hears in the server's words of which of its limits a call met. */
type OnExhausted = (cause: string) => void;

/**
 * A connection that is made when it is first needed, and made again whenever it was lost. A call that meets one of the
 * server's limits is tried again, and then fails as one that had no answer in time; what the limit was is told here.
 */
export function temporalConnection(address: string, onExhausted?: OnExhausted): Connection {
  return Connection.lazy({ address, interceptors: [makeGrpcRetryInterceptor(retryOptions(onExhausted))] });
}

/** What is tried again, and how often; every try that meets a limit is told. */
export function retryOptions(onExhausted: OnExhausted = () => undefined): RetryOptions {
  const usual = defaultGrpcRetryOptions({ maxAttempts: TRIES });
  return {
    ...usual,
    retryableDecider(attempt, status) {
      const code: number = status.code;
      if (code === RESOURCE_EXHAUSTED) onExhausted(status.details);
      return usual.retryableDecider(attempt, status);
    },
  };
}

/** A client whose messages carry the id of the request that caused them, and whatever `interceptors` add. */
export function temporalClient(
  connection: Connection,
  namespace: string,
  interceptors: WorkflowClientInterceptor[] = [],
): Client {
  return new Client({ connection, namespace, interceptors: { workflow: [carryRequestId, ...interceptors] } });
}

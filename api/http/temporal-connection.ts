import {
  Client,
  Connection,
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type WorkflowClientInterceptor,
} from '@temporalio/client';
import { carryRequestId } from './request-id';

/** Together about a second: longer than a hiccup, shorter than a person’s patience. Then the answer is 503. */
const TRIES = 4;

/** A connection that is made when it is first needed, and made again whenever it was lost. */
export function temporalConnection(address: string): Connection {
  const retries = makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: TRIES }));
  return Connection.lazy({ address, interceptors: [retries] });
}

/** A client whose messages carry the id of the request that caused them, and whatever `interceptors` add. */
export function temporalClient(
  connection: Connection,
  namespace: string,
  interceptors: WorkflowClientInterceptor[] = [],
): Client {
  return new Client({ connection, namespace, interceptors: { workflow: [carryRequestId, ...interceptors] } });
}

import { Connection, defaultGrpcRetryOptions, makeGrpcRetryInterceptor } from '@temporalio/client';

/** Together about a second: longer than a hiccup, shorter than a person’s patience. Then the answer is 503. */
const TRIES = 4;

/** A connection that is made when it is first needed, and made again whenever it was lost. */
export function temporalConnection(address: string): Connection {
  const retries = makeGrpcRetryInterceptor(defaultGrpcRetryOptions({ maxAttempts: TRIES }));
  return Connection.lazy({ address, interceptors: [retries] });
}

import {
  defaultGrpcRetryOptions,
  makeGrpcRetryInterceptor,
  type Connection,
  type ConnectionOptions,
} from '@temporalio/client';
import { setTimeout as pause } from 'node:timers/promises';

/** Timers fire up to a few milliseconds apart. */
const MARGIN_MS = 50;

interface Retries {
  interceptors: NonNullable<ConnectionOptions['interceptors']>;
  /** Await it before the connection is closed. */
  end: () => Promise<void>;
}

/**
 * Repeats failed calls as the SDK does, until it is ended. The SDK repeats a call by a timer that knows nothing of the
 * connection, and throws "Channel has been shut down" from it when that is closed, which ends the program.
 */
export function endingRetries(options = defaultGrpcRetryOptions({})): Retries {
  let isEnded = false;
  let lastAt = 0;
  const interceptor = makeGrpcRetryInterceptor({
    retryableDecider: (attempt, status) => !isEnded && options.retryableDecider(attempt, status),
    delayFunction(attempt, status) {
      const delayMs = options.delayFunction(attempt, status);
      lastAt = Math.max(lastAt, Date.now() + delayMs);
      return delayMs;
    },
  });
  return {
    interceptors: [interceptor],
    async end() {
      isEnded = true;
      const remainingMs = lastAt - Date.now();
      if (remainingMs > 0) await pause(remainingMs + MARGIN_MS);
    },
  };
}

/** The same connection, which ends its retries before it is closed. */
export function endRetriesAtClose(connection: Connection, { end }: Pick<Retries, 'end'>): Connection {
  const close = connection.close.bind(connection);
  connection.close = async () => {
    await end();
    await close();
  };
  return connection;
}

import { Connection, defaultGrpcRetryOptions } from '@temporalio/client';
import type { TemporalServer } from '../../sql/environment/temporal';
import { endingRetries, endRetriesAtClose } from './ending-retries';

/** The longest pause before a server that is away is reached for again. gRPC's own grows to two minutes. */
const LONGEST_BACKOFF_MS = 5_000;

/**
 * A connection that opens at the first call and reopens whenever it is lost. `options` say which calls are repeated;
 * default: as the SDK does. Closing it ends the retries first.
 */
export function reopeningConnection(
  server: TemporalServer,
  options = defaultGrpcRetryOptions({}),
): Connection {
  const retries = endingRetries(options);
  const channelArgs = { 'grpc.max_reconnect_backoff_ms': LONGEST_BACKOFF_MS };
  const { interceptors } = retries;
  return endRetriesAtClose(Connection.lazy({ ...server, channelArgs, interceptors }), retries);
}

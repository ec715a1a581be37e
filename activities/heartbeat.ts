import { cancellationSignal, heartbeat } from '@temporalio/activity';

/** A fraction of the heartbeat time-outs of 15 s and more that processes give long activities. */
const HEARTBEAT_MS = 5_000;

/**
 * Runs long work of an activity and reports by a timer that it goes on, so that a worker that dies is noticed within the
 * heartbeat time-out. The signal is aborted when the activity is cancelled or its worker stops; work that observes it then
 * ends as cancelled, whatever it throws.
 */
export async function withHeartbeat<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  details: () => unknown = () => undefined,
): Promise<Result> {
  const signal = cancellationSignal();
  const timer = setInterval(() => heartbeat(details()), HEARTBEAT_MS);
  try {
    return await work(signal);
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  } finally {
    clearInterval(timer);
  }
}

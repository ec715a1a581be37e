import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { isTemporalAway, lacksAttribute, lacksNamespace } from './away';

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 5_000;

/** The program was told to stop before its start was done. */
export class StartStopped extends Error {
  override readonly name = 'StartStopped';
}

interface Attempts {
  /** Takes a line for each attempt that failed. */
  log: { warn: (facts: object, message: string) => void };
  /** Ends the attempts. */
  signal: AbortSignal;
  /** True for a failure after which the work is repeated. Default: Temporal is away or slow, or lacks the namespace or an attribute. */
  isTemporary?: (error: unknown) => boolean;
}

const isNotServing = (error: unknown): boolean =>
  isTemporalAway(error) || lacksNamespace(error) || lacksAttribute(error);

/**
 * The result of what a program asks of Temporal at its start. While Temporal does not serve, the whole work is repeated
 * after a pause, so it must be idempotent, and it should have a deadline. Rejects with any other failure at once, and
 * with StartStopped as soon as the signal fires, which does not wait for work under way.
 */
export async function onceServing<Result>(
  work: () => Promise<Result>,
  { log, signal, isTemporary = isNotServing }: Attempts,
): Promise<Result> {
  const stopped = rejectionBy(signal);
  stopped.catch(() => undefined);
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    if (signal.aborted) await stopped;
    try {
      return await Promise.race([stopped, work()]);
    } catch (error) {
      if (signal.aborted || !isTemporary(error)) throw error;
      log.warn({ err: error, pauseMs }, 'Temporal does not serve yet; the start is tried again');
    }
    await pause(pauseMs, undefined, { signal }).catch(() => stopped);
  }
}

/** Rejects as soon as the signal fires. */
async function rejectionBy(signal: AbortSignal): Promise<never> {
  if (!signal.aborted) await once(signal, 'abort');
  throw new StartStopped('The program stops before its start is done.');
}

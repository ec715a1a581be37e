import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../logs/log';
import type { Running } from './child';
import { messageOf } from '../failure';

export interface Part {
  name: string;
  /** Starts it and returns when it is ready; gives up, with nothing left running, when the signal fires. */
  start: (signal: AbortSignal) => Promise<Running>;
}

/** The supervisor's time; tests have their own. */
export interface Clock {
  now: () => number;
  /** Resolves after the time, or at once when the signal fires. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface Supervision {
  log: Log;
  onStarted: (name: string, pid: number) => Promise<void>;
  onStopped: (name: string) => Promise<void>;
  /** Fires when the whole is to stop, even before the first start has ended. */
  signal: AbortSignal;
  clock?: Clock;
}

export interface Supervised {
  name: string;
  /** Ends the supervision and the process. */
  stop: () => Promise<void>;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** After this long a part has recovered: its next crash is followed by the first wait again. */
const STABLE_AFTER_MS = 60_000;

const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
};

/**
 * Starts a part, then starts it again whenever it ends by itself, each time after twice the wait.
 * Throws when the first start fails: a person has to fix that.
 */
export async function supervise(part: Part, supervision: Supervision): Promise<Supervised> {
  const { log, onStarted, onStopped, signal: stopRequested, clock = systemClock } = supervision;
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const begin = async () => {
    const running = await part.start(AbortSignal.any([stopping.signal, stopRequested]));
    await onStarted(part.name, running.pid);
    return running;
  };
  let current: Running | undefined = await begin();

  const keepUp = async () => {
    let waitMs = FIRST_WAIT_MS;
    let startedAt = clock.now();
    while (!isStopping()) {
      const exit = await current?.exited;
      current = undefined;
      if (isStopping()) return;
      if (clock.now() - startedAt >= STABLE_AFTER_MS) waitMs = FIRST_WAIT_MS;
      if (exit !== undefined) log(exit.message);
      log(`starting ${part.name} again in ${waitMs / 1000} s`);
      await clock.wait(waitMs, stopping.signal);
      if (isStopping()) return;
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
      startedAt = clock.now();
      try {
        current = await begin();
        log(`${part.name} is back`);
      } catch (error) {
        log(messageOf(error));
      }
    }
  };
  const supervised = keepUp();

  const stop = async () => {
    stopping.abort();
    await current?.stop();
    await supervised;
    // A start that was under way when the stop began may have ended well meanwhile.
    await current?.stop();
    await onStopped(part.name);
  };
  return { name: part.name, stop };
}

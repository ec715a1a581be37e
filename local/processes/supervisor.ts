import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../logs/log';
import type { Running } from './child';
import { messageOf } from '../failure';

export interface Part {
  name: string;
  /** Starts it and answers when it is ready; gives up, with nothing left running, when the signal fires. */
  start: (signal: AbortSignal) => Promise<Running>;
}

/** Time as the supervisor sees it; tests bring their own. */
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

const firstWaitMs = 500;
const longestWaitMs = 30_000;
/** A part that has run this long has recovered, and its next crash is a first one again. */
const stableMs = 60_000;

const systemClock: Clock = {
  now: () => performance.now(),
  wait: (ms, signal) => delay(ms, undefined, { signal }).catch(() => undefined),
};

/**
 * Starts a part, then starts it again whenever it ends by itself, each time after twice the wait.
 * Throws when the first start fails: that is for a person to mend.
 */
export const supervise = async (part: Part, supervision: Supervision): Promise<Supervised> => {
  const { log, onStarted, onStopped, signal: given, clock = systemClock } = supervision;
  const stopping = new AbortController();
  const isStopping = () => stopping.signal.aborted;
  const begin = async () => {
    const running = await part.start(AbortSignal.any([stopping.signal, given]));
    await onStarted(part.name, running.pid);
    return running;
  };
  let current: Running | undefined = await begin();

  const keepUp = async () => {
    let waitMs = firstWaitMs;
    let startedAt = clock.now();
    while (!isStopping()) {
      const exit = await current?.exited;
      current = undefined;
      if (isStopping()) return;
      if (clock.now() - startedAt >= stableMs) waitMs = firstWaitMs;
      if (exit !== undefined) log(exit.message);
      log(`starting ${part.name} again in ${String(waitMs / 1000)} s`);
      await clock.wait(waitMs, stopping.signal);
      if (isStopping()) return;
      waitMs = Math.min(waitMs * 2, longestWaitMs);
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
};

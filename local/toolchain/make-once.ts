import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../logs/log';
import { acquireLock } from '../processes/lock';
import { isExecutable } from './executable';

const askAgainMs = 500;

/** Runs the action while no other process of this machine runs one under the same name. */
export const oneAtATime = async <Result>(
  name: string,
  log: Log,
  action: () => Promise<Result>,
): Promise<Result> => {
  let hasSaidWaiting = false;
  for (;;) {
    const lock = await acquireLock(`${name}.lock`);
    if ('release' in lock) {
      try {
        return await action();
      } finally {
        await lock.release();
      }
    }
    if (!hasSaidWaiting) log(`waiting for process ${String(lock.heldBy.pid)}, which is getting ${name}`);
    hasSaidWaiting = true;
    await delay(askAgainMs);
  }
};

interface Making {
  /** The executable that exists when it has been made. */
  target: string;
  /** Said when this process makes it, since that can take minutes. */
  notice: string;
  /** Makes the target; the target must appear whole, by a rename at the end. */
  make: () => Promise<void>;
  log: Log;
}

/** Makes a cached tool unless it is there; of several processes one makes it and the others wait for it. */
export const makeOnce = async ({ target, notice, make, log }: Making): Promise<string> => {
  if (await isExecutable(target)) return target;
  return oneAtATime(target, log, async () => {
    if (await isExecutable(target)) return target;
    log(notice);
    await make();
    return target;
  });
};

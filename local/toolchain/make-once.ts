import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../logs/log';
import { acquireLock } from '../processes/lock';
import { isExecutable } from './executable';

const RETRY_AFTER_MS = 500;

/** Runs the action while no other process of this machine runs one under the same name. */
export async function withMachineLock<Result>(
  name: string,
  log: Log,
  action: () => Promise<Result>,
): Promise<Result> {
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
    if (!hasSaidWaiting) log(`waiting for process ${lock.heldBy.pid}, which is getting ${name}`);
    hasSaidWaiting = true;
    await delay(RETRY_AFTER_MS);
  }
}

interface Making {
  /** The file that exists when it has been made. */
  target: string;
  /** Logged by the process that makes it, since that can take minutes. */
  notice: string;
  /** Makes the target; the target must appear whole, by a rename at the end. */
  make: () => Promise<void>;
  log: Log;
  /** True if the target has been made; by default when it can be executed. */
  isMade?: (target: string) => Promise<boolean>;
}

/** Makes a cached tool unless it is there. Of several processes one makes it and the others wait. */
export async function makeOnce({
  target,
  notice,
  make,
  log,
  isMade = isExecutable,
}: Making): Promise<string> {
  if (await isMade(target)) return target;
  return withMachineLock(target, log, async () => {
    if (await isMade(target)) return target;
    log(notice);
    await make();
    return target;
  });
}

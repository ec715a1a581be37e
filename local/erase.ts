import { eraseDataDir, findDataDir } from './machine/data-dir';
import type { Log } from './logs/log';
import { endLeftovers } from './processes/leftovers';
import { acquireLock } from './processes/lock';

/** Erases the data of this machine. Throws when they are in use or the directory was not made by this program. */
export async function erase(dir: string, log: Log): Promise<void> {
  const data = await findDataDir(dir);
  if (data === undefined) {
    log(`${dir}: nothing to erase`);
    return;
  }
  const lock = await acquireLock(data.lockFile);
  if ('heldBy' in lock)
    throw new Error(`${dir} is in use by process ${lock.heldBy.pid}: stop it first (Ctrl-C).`);
  try {
    await endLeftovers(data.childrenFile, log);
    await eraseDataDir(data);
    log(`${dir}: erased`);
  } finally {
    await lock.release();
  }
}

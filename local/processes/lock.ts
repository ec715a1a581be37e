import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isRunning, ProcessIdentity } from './identity';
import { codeOf } from '../failure';

export type LockAnswer = { release: () => Promise<void> } | { heldBy: ProcessIdentity };

/** The process that wrote the lock file; undefined without a file, `torn` when it can't be read. */
async function readHolder(file: string): Promise<ProcessIdentity | 'torn' | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return ProcessIdentity.parse(JSON.parse(text));
  } catch {
    return 'torn';
  }
}

/** The process that holds the lock and still runs, if there is one. */
export async function lockHolder(file: string): Promise<ProcessIdentity | undefined> {
  const holder = await readHolder(file);
  if (holder === undefined || holder === 'torn') return undefined;
  return (await isRunning(holder)) ? holder : undefined;
}

/** Puts a complete lock file in place; returns false when there is one already. */
async function placeLockFile(file: string, self: ProcessIdentity): Promise<boolean> {
  const draft = `${file}.${randomUUID()}`;
  await writeFile(draft, JSON.stringify(self), { mode: 0o600 });
  try {
    await link(draft, file);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

const RETRY_AFTER_MS = 20;

/**
 * Removes a dead holder's lock. Only the holder of the take-over file may, after a second look: else the slower of two
 * starts that both saw the dead holder would remove the quicker one's new lock.
 */
async function clearStale(file: string, self: ProcessIdentity): Promise<void> {
  const takeOver = `${file}.take-over`;
  if (await placeLockFile(takeOver, self)) {
    if ((await lockHolder(file)) === undefined) await rm(file, { force: true });
    await rm(takeOver, { force: true });
    return;
  }
  if ((await lockHolder(takeOver)) === undefined) await rm(takeOver, { force: true });
  await delay(RETRY_AFTER_MS);
}

/**
 * Claims the file for this process, once among all processes of this machine.
 * A lock whose holder has died, even if its process id is in use again, counts as free.
 */
export async function acquireLock(file: string): Promise<LockAnswer> {
  const self = await identify(process.pid);
  if (self === undefined) throw new Error('This system does not report when a process was started.');
  await mkdir(path.dirname(file), { recursive: true });
  for (;;) {
    if (await placeLockFile(file, self)) return { release: () => rm(file, { force: true }) };
    const heldBy = await lockHolder(file);
    if (heldBy !== undefined) return { heldBy };
    await clearStale(file, self);
  }
}

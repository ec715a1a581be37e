import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { identify, isRunning, processIdentity, type ProcessIdentity } from './identity';
import { codeOf } from '../failure';

export type LockAnswer = { release: () => Promise<void> } | { heldBy: ProcessIdentity };

/** Who wrote the lock: undefined when there is none, `torn` when it can't be read. */
const readHolder = async (file: string): Promise<ProcessIdentity | 'torn' | undefined> => {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    return undefined;
  }
  try {
    return processIdentity.parse(JSON.parse(text));
  } catch {
    return 'torn';
  }
};

/** The process that holds the lock and still runs, if there is one. */
export const lockHolder = async (file: string): Promise<ProcessIdentity | undefined> => {
  const holder = await readHolder(file);
  if (holder === undefined || holder === 'torn') return undefined;
  return (await isRunning(holder)) ? holder : undefined;
};

/** Puts a whole lock file in place, or answers false when one is there. */
const place = async (file: string, self: ProcessIdentity): Promise<boolean> => {
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
};

const askAgainMs = 20;

/**
 * Takes a dead holder's lock away. Only who holds the take-over file may, and looks again first: else the slower of
 * two starts that both saw the dead one would take the quicker one's new lock away.
 */
const clearStale = async (file: string, self: ProcessIdentity): Promise<void> => {
  const takeOver = `${file}.take-over`;
  if (await place(takeOver, self)) {
    if ((await lockHolder(file)) === undefined) await rm(file, { force: true });
    await rm(takeOver, { force: true });
    return;
  }
  if ((await lockHolder(takeOver)) === undefined) await rm(takeOver, { force: true });
  await delay(askAgainMs);
};

/**
 * Claims the file for this process, once among all processes of this machine.
 * A lock whose holder has died, even if its process id is in use again, counts as free.
 */
export const acquireLock = async (file: string): Promise<LockAnswer> => {
  const self = await identify(process.pid);
  if (self === undefined) throw new Error('This system does not tell when a process was started.');
  await mkdir(path.dirname(file), { recursive: true });
  for (;;) {
    if (await place(file, self)) return { release: () => rm(file, { force: true }) };
    const heldBy = await lockHolder(file);
    if (heldBy !== undefined) return { heldBy };
    await clearStale(file, self);
  }
};

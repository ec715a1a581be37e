import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../logs/log';

const waitMs = 100;
const graceRounds = 100;

/** The process that a cluster's lock file names, if it really is a server on that directory. */
const leftoverServer = async (dataDir: string, lockFile: string): Promise<number | undefined> => {
  const [firstLine = ''] = (await readFile(lockFile, 'utf8')).split('\n');
  const pid = Number(firstLine);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  const workDir = await readlink(`/proc/${String(pid)}/cwd`).catch(() => undefined);
  return workDir === (await realpath(dataDir)) ? pid : undefined;
};

const isAlive = (pid: number) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

/**
 * Ends a server that a killed start has left on this directory, and takes a dead one's lock file away: its number
 * may belong to another process by now. The caller owns the directory, so no other start can mean this server.
 */
export const clearLeftover = async (dataDir: string, log: Log): Promise<void> => {
  const lockFile = path.join(dataDir, 'postmaster.pid');
  const isLinux = process.platform === 'linux';
  const hasLock = await readFile(lockFile).then(
    () => true,
    () => false,
  );
  if (!isLinux || !hasLock) return;
  const pid = await leftoverServer(dataDir, lockFile);
  if (pid === undefined) {
    await rm(lockFile, { force: true });
    return;
  }
  log(`ending the PostgreSQL server ${String(pid)} that an earlier start has left`);
  process.kill(pid, 'SIGINT');
  for (let round = 0; isAlive(pid); round += 1) {
    if (round === graceRounds) process.kill(pid, 'SIGQUIT');
    await delay(waitMs);
  }
};

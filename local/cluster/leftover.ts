import { readFile, readlink, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../logs/log';

const WAIT_MS = 100;
const GRACE_ROUNDS = 100;

/** The process that a cluster's lock file names, if it is a server on that directory. */
async function leftoverServer(dataDir: string, lockFile: string): Promise<number | undefined> {
  const [firstLine = ''] = (await readFile(lockFile, 'utf8')).split('\n');
  const pid = Number(firstLine);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  const workDir = await readlink(`/proc/${pid}/cwd`).catch(() => undefined);
  return workDir === (await realpath(dataDir)) ? pid : undefined;
}

function isAlive(pid: number) {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/**
 * Ends a server that a killed start has left on this directory, or removes a dead one's lock file, whose process id
 * may belong to another process by now. The caller owns the directory, so no other start uses this server.
 */
export async function clearLeftover(dataDir: string, log: Log): Promise<void> {
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
  log(`ending the PostgreSQL server ${pid} that an earlier start has left`);
  process.kill(pid, 'SIGINT');
  for (let round = 0; isAlive(pid); round += 1) {
    if (round === GRACE_ROUNDS) process.kill(pid, 'SIGQUIT');
    await delay(WAIT_MS);
  }
}

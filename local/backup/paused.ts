import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isRunning, type ProcessIdentity } from '../processes/identity';

/** Reads until this process has ended, for any reason, then lets the other one go on. */
const SCRIPT = 'cat > /dev/null; kill -s CONT "$1" 2> /dev/null';

const STOPPED_WITHIN_MS = 5_000;
const LOOK_EVERY_MS = 2;

/** The field of /proc/…/stat behind the command's name. */
const stateIn = (stat: string): string => stat.slice(stat.lastIndexOf(')') + 2)[0] ?? '';

/** The state of each thread, as a letter; T: stopped. */
async function statesOf(pid: number): Promise<string[]> {
  if (process.platform !== 'linux')
    return [(await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)])).stdout.trim()[0] ?? ''];
  const tasks = await readdir(`/proc/${pid}/task`);
  return Promise.all(
    tasks.map(async (task) =>
      // A thread may have ended since it was listed.
      readFile(`/proc/${pid}/task/${task}/stat`, 'utf8').then(stateIn, () => 'T'),
    ),
  );
}

async function untilStopped(pid: number): Promise<void> {
  const deadline = performance.now() + STOPPED_WITHIN_MS;
  while (!(await statesOf(pid)).every((state) => state === 'T')) {
    if (performance.now() > deadline) throw new Error(`The process ${pid} does not stop.`);
    await delay(LOOK_EVERY_MS);
  }
}

/** Lets the process go on when this one dies. Returns a function that does so now, and waits until it is done. */
function guardPause(pid: number): () => Promise<void> {
  // A session of its own, so that what ends this process's group leaves the guard alive.
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'guard', String(pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  guard.on('error', () => undefined);
  guard.unref();
  if (guard.stdin instanceof Socket) guard.stdin.unref();
  const ended = once(guard, 'exit').catch(() => undefined);
  return async () => {
    guard.ref();
    guard.stdin.end();
    // A signal of an earlier pause must not end a later one.
    await ended;
  };
}

/**
 * Runs the work while another process stands still between two of its instructions, so that its files are what a
 * `kill -9` at that moment would leave; then that process goes on, also if this one is killed. Throws when it has ended
 * meanwhile.
 */
export async function whilePaused<Result>(
  target: ProcessIdentity,
  work: () => Promise<Result>,
): Promise<Result> {
  if (!(await isRunning(target))) throw new Error(`The process ${target.pid} has ended.`);
  const release = guardPause(target.pid);
  try {
    process.kill(target.pid, 'SIGSTOP');
    await untilStopped(target.pid);
    const result = await work();
    if (!(await isRunning(target))) throw new Error(`The process ${target.pid} ended while it was paused.`);
    return result;
  } finally {
    // Without a guard, should there be no shell.
    if (await isRunning(target)) process.kill(target.pid, 'SIGCONT');
    await release();
  }
}

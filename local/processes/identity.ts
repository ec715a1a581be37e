import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

/** A process id with its start time, since the system reuses ids. */
export const ProcessIdentity = z.object({ pid: z.number().int().positive(), startedAt: z.string() });
export type ProcessIdentity = z.infer<typeof ProcessIdentity>;

const run = promisify(execFile);

/** The position of `starttime` in /proc/<pid>/stat, counted from the field after the command's name. */
const START_TIME_FIELD = 19;
const STATE_FIELD = 0;

async function startOnLinux(pid: number): Promise<string | undefined> {
  try {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ]);
    // The command's name may hold spaces and brackets, so count from its last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[STATE_FIELD] === 'Z') return undefined;
    return `${boot.trim()}:${fields[START_TIME_FIELD] ?? ''}`;
  } catch {
    return undefined;
  }
}

async function startElsewhere(pid: number): Promise<string | undefined> {
  try {
    return (await run('ps', ['-o', 'lstart=', '-p', String(pid)])).stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** When the process was started, in a form that only compares; undefined when no such process runs. */
export const startOf = (pid: number): Promise<string | undefined> =>
  process.platform === 'linux' ? startOnLinux(pid) : startElsewhere(pid);

/** The identity of a running process; undefined when it has ended already. */
export async function identify(pid: number): Promise<ProcessIdentity | undefined> {
  const startedAt = await startOf(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
}

/** Tells whether this process still runs, as against a later one with the same id. */
export const isRunning = async ({ pid, startedAt }: ProcessIdentity): Promise<boolean> =>
  (await startOf(pid)) === startedAt;

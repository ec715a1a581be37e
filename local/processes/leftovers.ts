import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Log } from '../logs/log';
import { identify, isRunning, ProcessIdentity } from './identity';

const ChildRecord = z.object({ name: z.string(), process: ProcessIdentity });
const ChildRecords = z.array(ChildRecord);
type ChildRecord = z.output<typeof ChildRecord>;

const CHECK_EVERY_MS = 100;
const GRACE_MS = 15_000;

/** Records on disk which children run, so that a later start can end what a killed one has left. */
export class ChildRegister {
  private readonly running = new Map<string, ChildRecord>();
  private writing: Promise<void> = Promise.resolve();

  constructor(private readonly file: string) {}

  async started(name: string, pid: number): Promise<void> {
    const identity = await identify(pid);
    if (identity === undefined) return;
    this.running.set(name, { name, process: identity });
    await this.write();
  }

  async stopped(name: string): Promise<void> {
    this.running.delete(name);
    await this.write();
  }

  private write(): Promise<void> {
    this.writing = this.writing.then(async () => {
      await writeFile(`${this.file}.new`, JSON.stringify([...this.running.values()]));
      await rename(`${this.file}.new`, this.file);
    });
    return this.writing;
  }
}

async function endProcess(child: ProcessIdentity): Promise<void> {
  const send = async (signal: NodeJS.Signals) => {
    if (await isRunning(child)) process.kill(child.pid, signal);
  };
  // SIGINT means a prompt and orderly stop to every part, PostgreSQL included.
  await send('SIGINT');
  const deadline = Date.now() + GRACE_MS;
  while (await isRunning(child)) {
    if (Date.now() > deadline) await send('SIGKILL');
    await delay(CHECK_EVERY_MS);
  }
}

async function recordedChildren(file: string): Promise<ChildRecord[]> {
  const recorded = ChildRecords.safeParse(parseJson(await readFile(file, 'utf8').catch(() => '[]')));
  return recorded.success ? recorded.data : [];
}

/** The recorded children that run. */
export async function runningChildren(file: string): Promise<ChildRecord[]> {
  const children = await recordedChildren(file);
  const runs = await Promise.all(children.map((child) => isRunning(child.process)));
  return children.filter((_, index) => runs[index]);
}

/** Ends the recorded children that an earlier start has left running, last started first. The caller holds the lock. */
export async function endLeftovers(file: string, log: Log): Promise<void> {
  for (const { name, process: child } of (await recordedChildren(file)).reverse()) {
    if (!(await isRunning(child))) continue;
    log(`ending ${name} (process ${child.pid}), which an earlier start has left`);
    await endProcess(child);
  }
  await rm(file, { force: true });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Log } from '../logs/log';
import { identify, isRunning, processIdentity, type ProcessIdentity } from './identity';

const record = z.object({ name: z.string(), process: processIdentity });
const records = z.array(record);
type ChildRecord = z.output<typeof record>;

const askEveryMs = 100;
const graceMs = 15_000;

/** Notes on disk which children run, so that a later start finds what a killed one has left. */
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

const end = async (child: ProcessIdentity): Promise<void> => {
  const send = async (signal: NodeJS.Signals) => {
    if (await isRunning(child)) process.kill(child.pid, signal);
  };
  // SIGINT means a prompt and orderly stop to every part, PostgreSQL included.
  await send('SIGINT');
  const deadline = Date.now() + graceMs;
  while (await isRunning(child)) {
    if (Date.now() > deadline) await send('SIGKILL');
    await delay(askEveryMs);
  }
};

/** Ends, last started first, what an earlier start has noted and left running. The caller holds its lock. */
export const endLeftovers = async (file: string, log: Log): Promise<void> => {
  const text = await readFile(file, 'utf8').catch(() => '[]');
  const noted = records.safeParse(parseJson(text));
  for (const { name, process: child } of noted.success ? noted.data.reverse() : []) {
    if (!(await isRunning(child))) continue;
    log(`ending ${name} (process ${String(child.pid)}), which an earlier start has left`);
    await end(child);
  }
  await rm(file, { force: true });
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { guardOrphan } from './guard';

export type Stream = 'stdout' | 'stderr';
/** Takes a line that a child has written. */
export type Output = (line: string, stream: Stream) => void;

export interface ChildCommand {
  name: string;
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** The account to run as; only root may name one. */
  account?: { uid: number; gid: number } | undefined;
  stopSignal?: NodeJS.Signals;
  /** Time to stop before the child is killed. */
  graceMs?: number;
  output?: Output | undefined;
}

export interface Exit {
  /** Null when a signal ended it. */
  code: number | null;
  /** A sentence for people: the code or signal, and the last lines of output. */
  message: string;
}

export interface Running {
  pid: number;
  /** Settles when the process has ended. Never rejects. */
  exited: Promise<Exit>;
  /** Signals it to stop, kills it after its grace time, and waits for its end. */
  stop: () => Promise<void>;
  /** Ends it at once, as a crash would. */
  kill: () => Promise<void>;
}

const DEFAULT_GRACE_MS = 10_000;
const KEPT_LINES = 15;

const readLines = (from: Readable, stream: Stream, take: Output) =>
  createInterface({ input: from }).on('line', (line) => {
    take(line, stream);
  });

/** Starts a child in a session of its own, so that Ctrl-C reaches it only through us, in our order. */
export async function spawnChild(child: ChildCommand): Promise<Running> {
  const { name, stopSignal = 'SIGTERM', graceMs = DEFAULT_GRACE_MS } = child;
  const started = spawn(child.command, child.args, {
    ...child.account,
    env: child.env,
    cwd: child.cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const last: string[] = [];
  const take: Output = (line, stream) => {
    if (last.push(line) > KEPT_LINES) last.shift();
    child.output?.(line, stream);
  };
  readLines(started.stdout, 'stdout', take);
  readLines(started.stderr, 'stderr', take);

  const pid = await new Promise<number>((resolve, reject) => {
    started.once('error', (error) => reject(new Error(`${name} could not be started: ${error.message}`)));
    started.once('spawn', () => resolve(started.pid ?? 0));
  });
  const release = guardOrphan(pid, stopSignal);
  const exited = new Promise<Exit>((resolve) => {
    // `close` follows `exit` once all output has been read.
    started.once('close', (code, signal) => {
      release();
      const how = signal === null ? `ended with code ${code}` : `was ended by ${signal}`;
      resolve({ code, message: [`${name} ${how}`, ...last].join('\n  ') });
    });
  });
  const signalAndWait = async (signal: NodeJS.Signals) => {
    started.kill(signal);
    await exited;
  };
  const kill = () => signalAndWait('SIGKILL');
  const stop = async () => {
    const grace = setTimeout(() => void kill(), graceMs);
    await signalAndWait(stopSignal);
    clearTimeout(grace);
  };
  return { pid, exited, stop, kill };
}

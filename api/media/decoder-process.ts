import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { z } from 'zod';
import type { Drawn } from '../http/body/picture-drawer';
import type { PictureFormat, Rendering } from './draw';
import { stretched } from '../../workflows/kit/limits/slowness';

/** A request to the program. */
export interface Job {
  bytes: Buffer;
  format: PictureFormat | 'pdf';
  /** Of a PDF its first page is drawn; without drawings it is inspected, which says whether it is acceptable. */
  drawings: readonly Rendering[];
}

/** The end of a process; both are null if it did not start. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The program's answer. */
export type Answer = { drawn: Drawn[] } | { unacceptable: string } | { timedOut: true };

/** The end of a job: answered, or the process crashed, took too long, or never became ready. */
export type Outcome = Exclude<Answer, { timedOut: true }> | 'crashed' | 'timed out' | 'unavailable';

const Message = z.union([
  z.object({ ready: z.literal(true) }),
  z.object({ unacceptable: z.string() }),
  z.object({ timedOut: z.literal(true) }),
  z.object({
    drawn: z.array(
      z.object({
        bytes: z.custom<Buffer>((value) => Buffer.isBuffer(value)),
        width: z.int(),
        height: z.int(),
      }),
    ),
  }),
]);

/** Chosen: Node's own memory plus three times what `draw` allows a picture. Beyond it allocations fail. */
const MOST_DATA_KB = 448 * 1024;
/** Large blocks go back to the system as soon as they are free. */
const ENVIRONMENT = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_MMAP_THRESHOLD_: '131072',
  MALLOC_TRIM_THRESHOLD_: '131072',
  UV_THREADPOOL_SIZE: '2',
};
/** The limit of one job, the start of the process included; decoding itself times out earlier. Those who wait can wait longer. */
const JOB_MS = 12_000;

/**
 * Limits the program's memory before it becomes Node, and makes it the first to be killed when the container runs out of
 * memory, so that the API survives. RLIMIT_DATA counts memory that is written to, not what V8 only reserves.
 */
const LIMITED = `ulimit -d "$1" 2> /dev/null
{ echo 1000 > "/proc/$$/oom_score_adj"; } 2> /dev/null
shift
exec "$@"`;

/** One run of the program that decodes files. It gets no secret of its parent and does not keep it running. */
export class DecoderProcess {
  /** Settles when it has ended. Its output is not read: libraries write parts of the files that they read. */
  readonly exited: Promise<Exit>;
  private readonly child: ChildProcess;
  private isReady = false;
  private hasEnded = false;
  private hasTimedOut = false;
  private onReady: () => unknown = () => undefined;
  private settle: (outcome: Outcome) => void = () => undefined;

  constructor(execArgv: readonly string[] = []) {
    const program = join(__dirname, `decoder-program${extname(__filename)}`);
    const node = [
      process.execPath,
      '--expose-gc',
      '--max-old-space-size=64',
      '--v8-pool-size=1',
      ...execArgv,
      program,
    ];
    this.child = spawn('/bin/sh', ['-c', LIMITED, 'sh', String(MOST_DATA_KB), ...node], {
      env: ENVIRONMENT,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      serialization: 'advanced',
    });
    this.child.on('message', (message) => this.onMessage(message));
    this.exited = once(this.child, 'close').then(
      () => ({ code: this.child.exitCode, signal: this.child.signalCode }),
      () => ({ code: null, signal: null }),
    );
    void this.exited.then(() => this.end());
    this.child.unref();
    this.child.channel?.unref();
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  get ended(): boolean {
    return this.hasEnded;
  }

  /** Does one job, within this time after the start of the process. Call it again only when the one before has ended. Never rejects. */
  async do(job: Job, limitMs = JOB_MS): Promise<Outcome> {
    const outcome = new Promise<Outcome>((resolve) => {
      this.settle = resolve;
    });
    const expire = () => {
      this.hasTimedOut = true;
      this.kill();
    };
    const timers = [setTimeout(expire, stretched(JOB_MS))];
    const startLimit = () => timers.push(setTimeout(expire, stretched(limitMs)));
    if (this.isReady) startLimit();
    else this.onReady = startLimit;
    // A job that cannot be sent ends with the process.
    if (this.hasEnded) this.end();
    else this.child.send(job, () => undefined);
    return outcome.finally(() => {
      this.onReady = () => undefined;
      for (const timer of timers) clearTimeout(timer);
    });
  }

  kill(): void {
    this.child.ref();
    this.child.kill('SIGKILL');
  }

  private onMessage(message: unknown): void {
    const answer = Message.safeParse(message).data;
    if (!answer) this.kill();
    else if ('ready' in answer) this.becomeReady();
    else this.settle('timedOut' in answer ? 'timed out' : answer);
  }

  private becomeReady(): void {
    this.isReady = true;
    this.onReady();
  }

  private end(): void {
    this.hasEnded = true;
    if (this.isReady) this.settle(this.hasTimedOut ? 'timed out' : 'crashed');
    else this.settle('unavailable');
  }
}

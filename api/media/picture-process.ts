import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { z } from 'zod';
import type { Drawing, Drawn } from '../http/body/picture-drawer';
import type { PictureFormat } from './draw';

/** A request to the program. */
export interface Job {
  bytes: Buffer;
  format: PictureFormat;
  drawings: readonly Drawing[];
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

/** Chosen: Node's own memory plus twice what `draw` allows a picture. Beyond it allocations fail. */
const MOST_DATA_KB = 384 * 1024;
/** The limit of one job, the start of the process included; decoding itself times out earlier. */
const JOB_MS = 20_000;
const KEPT_CHARACTERS = 2_000;

/**
 * Limits the program's memory before it becomes Node, and makes it the first to be killed when the container runs out of
 * memory, so that the API survives. RLIMIT_DATA counts memory that is written to, not what V8 only reserves.
 */
const LIMITED = `ulimit -d "$1" 2> /dev/null
{ echo 1000 > "/proc/$$/oom_score_adj"; } 2> /dev/null
shift
exec "$@"`;

/** One run of the program that draws pictures. It gets no secret of its parent and does not keep it running. */
export class PictureProcess {
  /** The end of its error output, for the log. */
  errorOutput = '';
  /** Settles when it has ended. */
  readonly exited: Promise<unknown>;
  private readonly child: ChildProcess;
  private isReady = false;
  private hasEnded = false;
  private hasTimedOut = false;
  private settle: (outcome: Outcome) => void = () => undefined;

  constructor(execArgv: readonly string[] = []) {
    const program = join(__dirname, `draw-program${extname(__filename)}`);
    const node = [process.execPath, '--max-old-space-size=64', '--v8-pool-size=1', ...execArgv, program];
    this.child = spawn('/bin/sh', ['-c', LIMITED, 'sh', String(MOST_DATA_KB), ...node], {
      env: { MALLOC_ARENA_MAX: '2', UV_THREADPOOL_SIZE: '2' },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
    });
    this.child.on('message', (message) => this.onMessage(message));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.errorOutput = `${this.errorOutput}${text}`.slice(-KEPT_CHARACTERS);
    });
    this.exited = once(this.child, 'close').catch((error: unknown) => {
      this.errorOutput = String(error);
    });
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

  /** Does one job. Call it again only when the one before has ended. Never rejects. */
  async do(job: Job): Promise<Outcome> {
    const outcome = new Promise<Outcome>((resolve) => {
      this.settle = resolve;
    });
    const timer = setTimeout(() => {
      this.hasTimedOut = true;
      this.kill();
    }, JOB_MS);
    // A job that cannot be sent ends with the process.
    if (this.hasEnded) this.end();
    else this.child.send(job, () => undefined);
    return outcome.finally(() => clearTimeout(timer));
  }

  kill(): void {
    this.child.ref();
    this.child.kill('SIGKILL');
  }

  private onMessage(message: unknown): void {
    const answer = Message.safeParse(message).data;
    if (!answer) this.kill();
    else if ('ready' in answer) this.isReady = true;
    else this.settle('timedOut' in answer ? 'timed out' : answer);
  }

  private end(): void {
    this.hasEnded = true;
    if (this.isReady) this.settle(this.hasTimedOut ? 'timed out' : 'crashed');
    else this.settle('unavailable');
  }
}

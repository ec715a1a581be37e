import { fileTypeFromBuffer } from 'file-type/core';
import type { Logger } from 'pino';
import { refusal } from '../../workflows/errors';
import type { Drawing, Drawn, PictureDrawer } from '../http/body/picture-drawer';
import { Busy, Gate } from '../http/limits/gate';
import type { PictureFormat } from './draw';
import { PictureProcess } from './picture-process';

const FORMATS: Readonly<Record<string, PictureFormat>> = {
  'image/jpeg': 'jpeg',
  'image/png': 'png',
  'image/webp': 'webp',
};
/** One picture is decoded at a time, which takes a core; the others wait in memory. */
const LIMITS = { slots: 1, queueLength: 8, deadlineMs: 15_000 };
/** Retry-After of a picture that was not drawn in time. */
const SLOW_RETRY_SECONDS = 10;
/** A process idle for this long is ended, to free its memory. */
const IDLE_MS = 60_000;

/**
 * Draws pictures in a separate process with limited memory, so that no picture can crash the API through its decoder.
 * The process is started on demand and ended when it is idle.
 */
export class Pictures implements PictureDrawer {
  private readonly gate = new Gate(LIMITS);
  private process: PictureProcess | null = null;
  private idle: NodeJS.Timeout | undefined;

  constructor(
    private readonly log: Logger,
    private readonly execArgv: readonly string[] = [],
  ) {}

  async draw(bytes: Buffer, drawings: readonly Drawing[], clientGone: AbortSignal): Promise<Drawn[]> {
    const claimed = await fileTypeFromBuffer(bytes);
    const format = claimed && FORMATS[claimed.mime];
    if (format === undefined) throw noPicture('is not a JPEG, PNG or WebP image');
    const outcome = await this.gate.through(() => this.drawnBy(bytes, format, drawings), clientGone);
    if (outcome === 'unavailable') throw new Busy();
    if (outcome === 'timed out') throw new Busy(SLOW_RETRY_SECONDS);
    if (outcome === 'crashed') throw noPicture('takes too much memory to decode');
    if ('unacceptable' in outcome) throw noPicture(outcome.unacceptable);
    return outcome.drawn;
  }

  /** The process that draws, while there is one; for tests. */
  get pid(): number | undefined {
    return this.process?.pid;
  }

  /** Ends the process, after the last request. */
  async close(): Promise<void> {
    clearTimeout(this.idle);
    const running = this.process;
    this.process = null;
    running?.kill();
    await running?.exited;
  }

  private async drawnBy(bytes: Buffer, format: PictureFormat, drawings: readonly Drawing[]) {
    clearTimeout(this.idle);
    const running = this.process && !this.process.ended ? this.process : this.start();
    try {
      return await running.do({ bytes, format, drawings });
    } finally {
      this.idle = setTimeout(() => void this.close(), IDLE_MS).unref();
    }
  }

  private start(): PictureProcess {
    const started = new PictureProcess(this.execArgv);
    this.process = started;
    void started.exited.then(() => {
      if (started.errorOutput)
        this.log.warn({ output: started.errorOutput }, 'the process that draws pictures wrote errors');
    });
    return started;
  }
}

const noPicture = (why: string): Error =>
  refusal('INVALID_FILE_TYPE', 'The file must be a JPEG, PNG or WebP image.', { file: [why] });

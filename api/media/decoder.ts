import type { Logger } from 'pino';
import { Gate } from '../http/limits/gate';
import { DecoderProcess, type Job, type Outcome } from './decoder-process';

/** One file is decoded at a time, which takes a core; the others wait in memory, longer than one job can take. */
const LIMITS = { slots: 1, queueLength: 8, deadlineMs: 15_000 };
/** A process idle for this long is ended, to free its memory. */
const IDLE_MS = 60_000;

/** The settings of the processes that decode files. */
export interface DecoderOptions {
  log: Logger;
  /** Additional arguments of Node. */
  execArgv?: readonly string[] | undefined;
}

/**
 * Decodes files from clients in a separate process with limited memory, so that no file can crash the API through its
 * decoder. The process is started on demand and ended when it is idle.
 */
export class Decoder {
  private readonly gate = new Gate(LIMITS);
  private process: DecoderProcess | null = null;
  private idle: NodeJS.Timeout | undefined;

  constructor(private readonly options: DecoderOptions) {}

  /** Rejects with `Busy` when too many wait, or the client hangs up before its turn. */
  do(job: Job, clientGone: AbortSignal): Promise<Outcome> {
    return this.gate.through(async () => {
      try {
        return await this.running().do(job);
      } finally {
        this.idle = setTimeout(() => void this.close(), IDLE_MS).unref();
      }
    }, clientGone);
  }

  /** Runs jobs in one turn. The process ends with them, so that nothing of this file stays for the next one. */
  apart<T>(work: (process: DecoderProcess) => Promise<T>, clientGone: AbortSignal): Promise<T> {
    return this.gate.through(async () => {
      try {
        return await work(this.running());
      } finally {
        await this.close();
      }
    }, clientGone);
  }

  /** The process that decodes, while there is one; for tests. */
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

  private running(): DecoderProcess {
    clearTimeout(this.idle);
    return this.process && !this.process.ended ? this.process : this.start();
  }

  private start(): DecoderProcess {
    const { log, execArgv } = this.options;
    const started = new DecoderProcess(execArgv);
    this.process = started;
    void started.exited.then((exit) => {
      if (this.process === started)
        log.warn(exit, 'the process that decodes files ended in the middle of one');
    });
    return started;
  }
}

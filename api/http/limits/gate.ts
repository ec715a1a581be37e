import { stretched } from '../../../workflows/kit/limits/slowness';

/** The process is overloaded; the request may succeed when it is sent again after that time. */
export class Busy extends Error {
  constructor(readonly retryAfterSeconds = 2) {
    super('Too many requests of this kind are being answered. Try again in a moment.');
  }
}

export interface GateLimits {
  /** Jobs that run at the same time. */
  slots: number;
  /** Jobs that may wait for a slot. */
  queueLength: number;
  /** Longest wait for a slot. */
  deadlineMs: number;
}

/**
 * Limits work that takes much CPU or memory: a few jobs run, some wait in the order of arrival, the rest are refused.
 * Rejects with `Busy` when the queue is full, when the deadline passes, and when the signal aborts before a slot is
 * free.
 */
export class Gate {
  private running = 0;
  /** The callbacks that admit waiting jobs. A Set keeps the order of arrival and deletes from anywhere in it. */
  private readonly queue = new Set<() => void>();

  constructor(private readonly limits: GateLimits) {}

  /** Runs the work as soon as a slot is free, and frees the slot even if the work fails. */
  async through<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = await this.enter(signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  /** Waits for a slot; returns what frees it, to be called once. */
  async enter(signal?: AbortSignal): Promise<() => void> {
    if (signal?.aborted) throw new Busy();
    if (this.running < this.limits.slots) this.running++;
    else await this.waitForSlot(signal);
    return () => this.freeSlot();
  }

  private waitForSlot(signal: AbortSignal | undefined): Promise<void> {
    const { queueLength, deadlineMs } = this.limits;
    if (this.queue.size >= queueLength) return Promise.reject(new Busy());
    return new Promise((resolve, reject) => {
      const end = () => {
        this.queue.delete(enter);
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
      };
      const enter = () => {
        end();
        resolve();
      };
      const giveUp = () => {
        end();
        reject(new Busy());
      };
      const timer = setTimeout(giveUp, stretched(deadlineMs));
      signal?.addEventListener('abort', giveUp);
      this.queue.add(enter);
    });
  }

  /** Passes the slot to the job that has waited longest; `running` then stays the same. */
  private freeSlot(): void {
    const [next] = this.queue;
    if (next) next();
    else this.running--;
  }
}

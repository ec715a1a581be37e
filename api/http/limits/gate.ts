/** There is no room for this request now. Sent again after that time, it may find some. */
export class Busy extends Error {
  constructor(readonly retryAfterSeconds = 2) {
    super('Too many requests of this kind are being answered already.');
  }
}

export interface GateLimits {
  /** How many pieces of work run side by side. */
  slots: number;
  /** How many more may wait for one of the slots. */
  queueLength: number;
  /** Longest that one of them waits. */
  deadlineMs: number;
}

/**
 * Bounds work that takes much CPU or memory: a few run, some wait in the order they came, the others are refused.
 * Rejects with `Busy` when the queue is full, when the deadline passes, and when the signal aborts before the turn
 * has come.
 */
export class Gate {
  private running = 0;
  /** What lets each of them in; a Set keeps the order of arrival and gives up a place anywhere in it. */
  private readonly queue = new Set<() => void>();

  constructor(private readonly limits: GateLimits) {}

  /** Does the work in its turn and frees the slot, however it ended. */
  async through<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (signal?.aborted) throw new Busy();
    if (this.running < this.limits.slots) this.running++;
    else await this.turn(signal);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  private turn(signal: AbortSignal | undefined): Promise<void> {
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
      const timer = setTimeout(giveUp, deadlineMs);
      signal?.addEventListener('abort', giveUp);
      this.queue.add(enter);
    });
  }

  /** The slot goes to whoever waits longest; `running` stays the same then. */
  private leave(): void {
    const [next] = this.queue;
    if (next) next();
    else this.running--;
  }
}

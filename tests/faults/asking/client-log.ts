/** ok: done, and told so; fail: refused, so it must not have happened; unknown: nobody said. */
export type Outcome = 'ok' | 'fail' | 'unknown';

export type Operation =
  | 'add'
  | 'checkout'
  | 'press'
  | 'pay'
  | 'cancel'
  | 'read'
  | 'clear'
  | 'transfer'
  | 'move'
  | 'requestRefund'
  | 'approveRefund'
  | 'rejectRefund';

/** What one client knows of one thing that it asked for, however often it asked. */
export interface Entry {
  operation: Operation;
  userId: string;
  /** The Idempotency-Key, where there was one. */
  key: string | null;
  /** The order it was about, or the one it made. */
  orderId: string | null;
  /** What was to be put into the cart. */
  goods?: { productId: string; quantity: number };
  outcome: Outcome;
  /** The last answer's status and error code; null when none came. */
  status: number | null;
  code: string | null;
  /** What went wrong before that answer: error codes of the connection, or statuses. */
  troubles: string[];
}

/** Everything that the clients of one scenario know. */
export class ClientLog {
  readonly entries: Entry[] = [];

  add(entry: Entry): void {
    this.entries.push(entry);
  }

  count(outcome: Outcome): number {
    return this.entries.filter((entry) => entry.outcome === outcome).length;
  }

  of(operation: Operation): Entry[] {
    return this.entries.filter((entry) => entry.operation === operation);
  }
}

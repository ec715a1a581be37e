/** ok: answered as done; fail: refused, so it must not have happened; unknown: not answered. */
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
  | 'rejectRefund'
  | 'startKyc'
  | 'uploadDocument'
  | 'submitKyc'
  | 'claimKyc'
  | 'releaseKyc'
  | 'requestKycInfo'
  | 'approveKyc'
  | 'rejectKyc'
  | 'allowResubmission'
  | 'invest'
  | 'withdraw'
  | 'join'
  | 'topUp'
  | 'cancelTopUp';

/** A client's knowledge of one request, however often it was sent. */
export interface Entry {
  operation: Operation;
  userId: string;
  /** The Idempotency-Key; null if there was none. */
  key: string | null;
  /** The order it was about, or the one it made. */
  orderId: string | null;
  /** The verification that it was about. */
  kycId?: string;
  /** The goods to be put into the cart. */
  goods?: { productId: string; quantity: number };
  outcome: Outcome;
  /** The last answer's status and error code; null if none came. */
  status: number | null;
  code: string | null;
  /** Failures before that answer: error codes of the connection, or statuses. */
  troubles: string[];
}

/** The knowledge of all clients of one scenario. */
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

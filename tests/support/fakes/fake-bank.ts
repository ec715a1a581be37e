import { v7 } from 'uuid';
import type {
  OpenedPayment,
  PaymentProvider,
  RefundOutcome,
} from '../../../activities/providers/payments/port';
import { otherAttempt } from '../../../workflows/commerce/payout/transfer-out.rules';

/** `loses the answer`: it sends the money, and the connection breaks before the answer. `keeps it pending`: it sends it later. */
type Mood = 'answers' | 'loses the answer' | 'is not reached' | 'refuses' | 'keeps it pending';

/** A payment provider that fails as its test decides. It does not recognise repeats, so that a second refund shows. */
export class FakeBank implements PaymentProvider {
  readonly code = 'fake-bank';
  mood: Mood = 'answers';
  /** The calls it received, in their order. */
  readonly requests: string[] = [];
  /** The keys of the refunds that it was reached for. */
  readonly keys: string[] = [];
  /** The keys under which money was sent back. */
  readonly sent: string[] = [];
  private readonly refunds = new Map<string, RefundOutcome>();

  readonly opensWithinMs = null;

  /** A call that is not found was not carried out. */
  certainAfterMs = 0;

  openPayment(): Promise<OpenedPayment> {
    return Promise.resolve({ paymentUrl: 'http://127.0.0.1/pay', reference: null });
  }

  closePayment(): Promise<void> {
    return Promise.resolve();
  }

  lookUpPayment(): Promise<never[]> {
    return Promise.resolve([]);
  }

  async refund({ key, amountMinor }: { key: string; amountMinor: number }): Promise<RefundOutcome> {
    this.requests.push('refund');
    this.requireReached();
    this.keys.push(key);
    if (this.mood === 'refuses') return { status: 'refused', reason: 'the account is closed' };
    if (this.mood === 'keeps it pending') {
      const pending = { status: 'pending' as const, refundId: v7() };
      this.refunds.set(key, pending);
      return pending;
    }
    const outcome = { status: 'completed' as const, refundId: v7(), amountMinor };
    this.sent.push(key);
    this.refunds.set(key, outcome);
    if (this.mood === 'answers') return outcome;
    this.mood = 'is not reached';
    throw new Error('The connection broke.');
  }

  /** Sends money and reports nothing yet. */
  carriesOut(key: string, amountMinor: number): void {
    this.sent.push(key);
    this.refunds.set(key, { status: 'completed', refundId: v7(), amountMinor });
  }

  /** Cannot deliver money that it had pending. */
  fails(key: string): void {
    this.refunds.set(key, { status: 'refused', reason: 'the account is closed' });
  }

  async lookUpRefund({ key }: { key: string }): Promise<RefundOutcome | null> {
    this.requests.push('look up');
    this.requireReached();
    const [id] = key.split(':');
    const others = [...this.refunds].filter(([each]) => each.split(':')[0] === id);
    const alive = others.find(([, { status }]) => status !== 'refused');
    if (alive === undefined) return this.refunds.get(key) ?? null;
    const [found, outcome] = alive;
    return { ...outcome, ...otherAttempt(found, key) };
  }

  private requireReached(): void {
    if (this.mood === 'is not reached') throw new Error('The bank is not reached.');
  }
}

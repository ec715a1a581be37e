import { v7 } from 'uuid';
import type {
  OpenedPayment,
  PaymentProvider,
  RefundOutcome,
} from '../../../activities/providers/payments/port';

/** `loses the answer`: the money is sent, and nobody hears of it. */
type Mood = 'answers' | 'loses the answer' | 'is not reached' | 'refuses';

/** A payment company as moody as its story wishes. It does not tell repeats apart, so that one would be seen. */
export class FakeBank implements PaymentProvider {
  readonly code = 'fake-bank';
  mood: Mood = 'answers';
  /** What it was asked, in that order. */
  readonly asked: string[] = [];
  /** The keys by which money was sent back. */
  readonly sent: string[] = [];
  private readonly refunds = new Map<string, RefundOutcome>();

  readonly opensByCall = false;

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
    this.asked.push('refund');
    this.requireReached();
    if (this.mood === 'refuses') return { status: 'refused', reason: 'the account is closed' };
    const outcome = { status: 'completed' as const, refundId: v7(), amountMinor };
    this.sent.push(key);
    this.refunds.set(key, outcome);
    if (this.mood === 'answers') return outcome;
    this.mood = 'is not reached';
    throw new Error('The line broke.');
  }

  /** Sends money of which nobody hears yet. */
  carriesOut(key: string, amountMinor: number): void {
    this.sent.push(key);
    this.refunds.set(key, { status: 'completed', refundId: v7(), amountMinor });
  }

  async lookUpRefund({ key }: { key: string }): Promise<RefundOutcome | null> {
    this.asked.push('look up');
    this.requireReached();
    return this.refunds.get(key) ?? null;
  }

  private requireReached(): void {
    if (this.mood === 'is not reached') throw new Error('The bank is not reached.');
  }
}

import { v7 } from 'uuid';
import type { PayoutProvider, TransferFate, TransferOrder } from '../../../activities/providers/payouts/port';
import { PAYOUT_METHODS } from '../../../workflows/identity/user/user.rules';

/**
 * `loses the answer`: it sends the money, and is not reached from then on. `lies`: it accepts the money, and refuses it
 * later. `is silent`: it accepts the money and never says more.
 */
type Mood = 'sends' | 'loses the answer' | 'is not reached' | 'refuses' | 'lies' | 'is silent';

/** A payout provider that fails as its test decides. It does not recognise repeats, so that a second transfer shows. */
export class FakePayouts implements PayoutProvider {
  mood: Mood = 'sends';
  methods: PayoutProvider['methods'] = PAYOUT_METHODS;
  /** "Not found" is certain at once, and for ever. */
  certainAfterMs = 0;
  remembersForMs: number | null = null;

  /** The calls it received, in their order. */
  readonly requests: string[] = [];
  /** The transfers it has sent. */
  readonly sent: TransferOrder[] = [];
  private readonly fates = new Map<string, TransferFate>();

  constructor(readonly code: 'sandbox' | 'stripe' = 'sandbox') {}

  async sendTransfer(order: TransferOrder): ReturnType<PayoutProvider['sendTransfer']> {
    this.requests.push('send');
    this.requireReached();
    const refused = { status: 'refused', reason: 'the account is closed' } as const;
    if (this.mood === 'refuses') return refused;
    const earlier = this.fates.get(order.key);
    this.sent.push(order);
    if (this.mood === 'lies') this.fates.set(order.key, refused);
    else if (this.mood === 'is silent') this.fates.set(order.key, { status: 'under way' });
    else if (earlier?.status !== 'arrived') this.arrives(order); // A key that it knows makes no second transfer.
    if (this.mood !== 'loses the answer') return { status: 'accepted' };
    this.mood = 'is not reached';
    throw new Error('The connection broke.');
  }

  async lookUpTransfer(key: string): Promise<TransferFate | null> {
    this.requests.push('look up');
    this.requireReached();
    return this.fates.get(key) ?? null;
  }

  /** Says that a transfer has arrived. */
  arrives({ key, amountMinor }: Pick<TransferOrder, 'key' | 'amountMinor'>): void {
    this.fates.set(key, { status: 'arrived', transferId: v7(), amountMinor });
  }

  /** Refuses a transfer that it had accepted. */
  refuses({ key }: Pick<TransferOrder, 'key'>): void {
    this.fates.set(key, { status: 'refused', reason: 'the account is closed' });
  }

  /** Says that a transfer is under way. */
  silent({ key }: Pick<TransferOrder, 'key'>): void {
    this.fates.set(key, { status: 'under way' });
  }

  /** Knows nothing of a transfer, as if the request had never come. */
  forgets({ key }: Pick<TransferOrder, 'key'>): void {
    this.fates.delete(key);
  }

  private requireReached(): void {
    if (this.mood === 'is not reached') throw new Error('The bank is not reached.');
  }
}

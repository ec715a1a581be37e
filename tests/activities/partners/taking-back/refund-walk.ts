import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import { v7 } from 'uuid';
import { firstRow, rows, type Db } from '../../../../db/sql/query';
import type { SentRefund } from '../../../../workflows/commerce/refund/payment-refund.contract';
import type { MadeOrder } from '../../../support/builders/given/steps';
import { noteOf } from '../../../support/builders/ordering';
import { refundByShop } from '../../../support/builders/refunding';
import type { disputes } from '../../commerce/chargeback/charged-back';
import type { refundReports } from '../../commerce/refund/reported/refund-reports';
import type { Random } from '../random';

interface Refund {
  id: string;
  status: 'PROCESSING' | 'ABANDONED' | 'COMPLETED';
  minor: number;
  sentAs: string | null;
}

export interface WalkDeps {
  db: Db;
  money: ReturnType<typeof disputes>;
  reports: ReturnType<typeof refundReports>;
}

const logger = new DefaultLogger('ERROR');
const now = (): string => new Date().toISOString();

const UNREACHED = /^The bank is not reached|^The connection broke|is not booked yet/;

/** The result of a step that the platform may refuse; null: it did, or the provider was not reached. */
const unlessRefused = async <T>(step: Promise<T>): Promise<T | null> => {
  try {
    return await step;
  } catch (error) {
    const { name, message } = error as Error;
    if (name === 'ApplicationFailure' || UNREACHED.test(message)) return null;
    throw error;
  }
};

/** Refunds of one paid order, and what becomes of their money, by chance. */
export class RefundWalk {
  /** Refunds that the provider has sent and that are not booked. */
  private readonly unbooked = new Set<string>();

  constructor(
    protected readonly of: WalkDeps,
    protected readonly order: MadeOrder,
    protected readonly random: Random,
  ) {}

  protected async refund(): Promise<void> {
    const left = await firstRow<{ minor: number }>(
      this.of.db,
      'SELECT total_minor - refunded_minor AS minor FROM orders WHERE id = $1',
      [this.order.orderId],
    );
    const amountMinor = this.someOf(left!.minor);
    if (amountMinor > 0) await unlessRefused(refundByShop(this.of.db, this.order, { amountMinor }));
  }

  protected async send(): Promise<void> {
    const found = await this.refunds('PROCESSING', 'ABANDONED');
    if (found.length === 0) return;
    const moods = ['answers', 'answers', 'loses the answer', 'refuses', 'is not reached'] as const;
    await this.sendBy(this.random.pick(moods), this.random.pick(found).id);
  }

  protected async sendBy(
    mood: 'answers' | 'loses the answer' | 'refuses' | 'is not reached',
    refundId: string,
  ) {
    const [bank, steps] = [this.of.money.bank(), this.of.money.steps()];
    bank.mood = mood;
    const before = bank.sent.length;
    const of = { refundId, again: true, isNext: true, at: now() };
    const worker = new MockActivityEnvironment({ attempt: 1 }, { logger });
    const sending: Promise<SentRefund> = worker.run(steps.sendRefund, of);
    const sent = await unlessRefused(sending);
    bank.mood = 'answers';
    if (bank.sent.length > before) this.unbooked.add(refundId);
    // The worker may end before it books what was sent; it is looked up then.
    if (sent?.sentBy !== 'PROVIDER' || (mood !== 'answers' && this.random.isBelow(0.3))) return;
    await unlessRefused(
      steps.completeRefund({ refundId, providerRefundId: sent.providerRefundId, at: now() }),
    );
    this.unbooked.delete(refundId);
  }

  protected async giveUp(): Promise<void> {
    const found = (await this.refunds('PROCESSING')).filter(({ id }) => !this.unbooked.has(id));
    if (found.length > 0)
      await this.of.money.steps().abandonRefund({ refundId: this.random.pick(found).id, at: now() });
  }

  /** The provider could not deliver what it had sent. */
  protected async bringBack(): Promise<void> {
    const found = (await this.refunds('COMPLETED')).filter(({ sentAs }) => sentAs !== null);
    if (found.length === 0 || this.random.isBelow(0.5)) return;
    const { id: refundId, minor: amountMinor, sentAs } = this.random.pick(found);
    const bank = this.of.money.bank();
    for (const key of bank.sent.filter((one) => one.startsWith(refundId))) bank.fails(key);
    const report = { refundId, as: sentAs!, amountMinor, provider: bank.code };
    await this.of.reports.hears('refund.failed', this.order.orderId, report);
  }

  protected async settle(): Promise<void> {
    const found = await this.refunds('ABANDONED');
    if (found.length > 0) await this.settleByHand(this.random.pick(found).id);
  }

  /** Says that a person has sent a refund, unless its provider has sent it or is still to be asked. */
  protected async settleByHand(refundId: string): Promise<void> {
    const noteId = await noteOf(this.of.db, this.order.userId, v7());
    await unlessRefused(this.of.money.steps().settleRefund({ refundId, noteId, at: now() }));
  }

  protected refunds(...statuses: Refund['status'][]): Promise<Refund[]> {
    return rows<Refund>(
      this.of.db,
      `SELECT id, status, amount_minor AS minor, provider_refund_id AS sent_as FROM payment_refunds
       WHERE order_id = $1 AND status = ANY($2) ORDER BY id`,
      [this.order.orderId, statuses],
    );
  }

  /** A part of an amount, often all of it or a half. */
  protected someOf(minor: number): number {
    if (minor <= 1 || this.random.isBelow(0.5)) return minor;
    return this.random.isBelow(0.5) ? Math.floor(minor / 2) : this.random.between(1, minor);
  }
}

import { takeEvent } from '../../../support/checks/take-events';
import { policyFrom } from '../../../../db/policy/config';
import { firstRow, rows } from '../../../../db/sql/query';
import { RefundWalk } from './refund-walk';

interface Dispute {
  name: string;
  minor: number;
  status: 'TAKEN' | 'LOST' | 'RETURNED';
}

const policy = policyFrom({});

/**
 * The money of one paid order, which goes back and forth by chance: refunds that are sent, refused, lost on their way, given up,
 * undeliverable or settled by hand, and chargebacks that a bank takes, keeps or returns. Events are counted meanwhile, in no order.
 */
export class MoneyWalk extends RefundWalk {
  private readonly disputes: Dispute[] = [];
  readonly done: string[] = [];

  async steps(count: number): Promise<void> {
    for (let n = 0; n < count; n++) {
      const step = this.random.pick([
        ...(['refund', 'send', 'send', 'send', 'send', 'giveUp', 'bringBack', 'settle'] as const),
        ...(['take', 'lose', 'lose', 'return', 'return', 'count', 'count', 'count'] as const),
      ]);
      this.done.push(step);
      await this[step]();
    }
  }

  /** Decides and settles all that is open, and counts every event that is left, in no order. */
  async end(): Promise<void> {
    for (const dispute of this.disputes.filter(({ status }) => status === 'TAKEN'))
      await this.decide(dispute, this.random.pick(['LOST', 'RETURNED'] as const));
    for (let round = 0; round < 8; round++) {
      for (const { id } of await this.refunds('PROCESSING', 'ABANDONED')) await this.sendBy('answers', id);
      for (const { id } of await this.refunds('ABANDONED')) await this.settleByHand(id);
    }
    expect(await this.refunds('PROCESSING', 'ABANDONED')).toEqual([]);
    while (await this.count());
  }

  /** The money that the buyer has in the end: sent, returned to balances, or taken by their bank. */
  async withBuyer(): Promise<number> {
    const lost = this.disputes.filter(({ status }) => status === 'LOST');
    const sent = await firstRow<{ minor: number }>(
      this.of.db,
      `SELECT coalesce(sum(p.amount_minor) FILTER (WHERE p.status = 'COMPLETED'), 0)::bigint
         + (SELECT coalesce(sum(approved_minor), 0) FROM refund_requests WHERE order_id = $1)::bigint
         - coalesce(sum(p.amount_minor), 0)::bigint AS minor
       FROM payment_refunds p WHERE p.order_id = $1`,
      [this.order.orderId],
    );
    return lost.reduce((sum, { minor }) => sum + minor, sent!.minor);
  }

  private async take(): Promise<void> {
    const left = await firstRow<{ minor: number }>(
      this.of.db,
      'SELECT amount_minor - charged_back_minor AS minor FROM payment_captures WHERE order_id = $1',
      [this.order.orderId],
    );
    const minor = this.someOf(left!.minor);
    if (minor === 0) return;
    const dispute: Dispute = { name: `${this.disputes.length}`, minor, status: 'TAKEN' };
    await this.of.money.bankActs(this.order, 'payment.charged_back', minor, dispute.name);
    this.disputes.push(dispute);
  }

  private async lose(): Promise<void> {
    if (!this.disputes.some(({ status }) => status === 'TAKEN')) await this.take();
    const open = this.disputes.filter(({ status }) => status === 'TAKEN');
    if (open.length > 0) await this.decide(this.random.pick(open), 'LOST');
  }

  private async return(): Promise<void> {
    const lost = this.disputes.filter(({ status }) => status === 'LOST');
    const open = lost.length > 0 ? lost : this.disputes.filter(({ status }) => status === 'TAKEN');
    if (open.length > 0) await this.decide(this.random.pick(open), 'RETURNED');
  }

  private async decide(dispute: Dispute, status: 'LOST' | 'RETURNED'): Promise<void> {
    const type = status === 'LOST' ? 'payment.chargeback_lost' : 'payment.chargeback_returned';
    await this.of.money.bankActs(this.order, type, dispute.minor, dispute.name);
    dispute.status = status;
  }

  /** Counts one event of the order, if one is not counted; the return of a chargeback waits for its loss. */
  private async count(): Promise<boolean> {
    const found = await rows<{ id: string }>(
      this.of.db,
      `SELECT e.id FROM domain_events e JOIN event_deliveries USING (position) WHERE e.entity_id = $1 ORDER BY e.id`,
      [this.order.orderId],
    );
    for (const { id } of this.random.shuffled(found))
      if (await takeEvent(this.of.db, policy, id).catch(causeIsMissing)) return true;
    return false;
  }
}

function causeIsMissing(error: Error): false {
  expect(error.message).toContain('to be counted');
  return false;
}

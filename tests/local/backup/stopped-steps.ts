import { firstRow, type Db } from '../../../db/sql/query';
import { orderRow, press } from '../../support/builders/sandbox';
import { shopper } from '../../support/builders/shop';
import { eventually } from '../../support/checks/eventually';
import { held, waiting } from '../../support/checks/held-locks';
import type { World } from '../../support/worlds/world';

/** Steps of processes that stand still in the middle: each waits for a lock. */
export class StoppedSteps {
  private readonly locks: { release: () => Promise<void> }[] = [];

  constructor(
    private readonly world: World,
    private readonly productId: string,
  ) {}

  /** Lets all steps go on, and makes no more stand still. */
  async goOn(): Promise<void> {
    await Promise.all(this.locks.splice(0).map((lock) => lock.release()));
  }

  /** An order that is PAID, and whose fulfilment has started and cannot begin to process it. */
  async paid(): Promise<{ orderId: string }> {
    const { orderId, payment } = await this.ordered();
    const first = await keepLocked(this.world.db, orderRowOf(orderId));
    await press(this.world, payment.paymentUrl!, 'pay');
    await this.waits(1);
    // The step that records the payment is before this one in the row's queue, the fulfilment's behind it.
    const next = keepLocked(this.world.db, orderRowOf(orderId));
    await this.waits(2);
    await first.release();
    this.locks.push(await next);
    await this.waits();
    return { orderId };
  }

  /** An order whose payment was reported: the report is stored, and cannot be applied. */
  async reported(): Promise<{ orderId: string; eventId: string }> {
    const { orderId, payment } = await this.ordered();
    this.locks.push(await keepLocked(this.world.db, orderRowOf(orderId)));
    await press(this.world, payment.paymentUrl!, 'pay');
    const event = await eventually(async () => {
      const stored = await firstRow<{ id: string }>(
        this.world.db,
        `SELECT w.id FROM webhook_events w JOIN sandbox_events e ON e.id::text = w.external_event_id
           JOIN sandbox_payments p ON p.id = e.payment_id JOIN payment_attempts a ON a.id = p.payment_key
         WHERE a.order_id = $1`,
        [orderId],
      );
      expect(stored).not.toBeNull();
      return stored!;
    });
    await this.waits();
    return { orderId, eventId: event.id };
  }

  /** The refund of a cancelled order that the provider was asked for, and has not answered. */
  async refunding(): Promise<{ refundId: string }> {
    const { orderId, payment, buyer } = await this.ordered();
    await press(this.world, payment.paymentUrl!, 'pay');
    await eventually(async () =>
      expect(await orderRow(this.world, orderId)).toMatchObject({ status: 'PROCESSING' }),
    );
    const capture = await firstRow<{ paymentId: string }>(
      this.world.db,
      'SELECT provider_payment_id AS payment_id FROM payment_captures WHERE order_id = $1',
      [orderId],
    );
    const name = `sandbox refunds of ${capture!.paymentId}`;
    this.locks.push(await keepLocked(this.world.db, `pg_advisory_xact_lock(hashtextextended('${name}', 0))`));
    const cancelled = await buyer.post(`/orders/${orderId}/cancel`, { reason: 'It is too late.' });
    expect(cancelled.status).toBe(200);
    return eventually(async () => {
      const asked = await firstRow<{ refundId: string }>(
        this.world.db,
        'SELECT id AS refund_id FROM payment_refunds WHERE order_id = $1 AND asked_at IS NOT NULL',
        [orderId],
      );
      expect(asked).not.toBeNull();
      return asked!;
    });
  }

  private async ordered() {
    const buyer = await shopper(this.world, [{ productId: this.productId }]);
    return { buyer, ...(await buyer.order()) };
  }

  /** Resolves when so many steps wait behind the locks that are kept; by default one behind each. */
  private waits(behindLast = 0): Promise<void> {
    return waiting(this.world.db, this.locks.length + behindLast);
  }
}

const orderRowOf = (orderId: string) => `1 FROM orders WHERE id = '${orderId}' FOR NO KEY UPDATE`;

/** Keeps a lock for as long as a backup takes, which may be longer than a transaction may stand still. */
const keepLocked = (db: Db, lock: string) =>
  held(db, `SELECT set_config('idle_in_transaction_session_timeout', '0', true), ${lock}`);

import { execute, type Tx } from '../../../../db/sql/query';
import type { HealthyWorld } from '../healthy.world';
import {
  change,
  find,
  forgetMovements,
  misplace,
  moveToShelf,
  shiftBooking,
  unbook,
  type Proof,
  unannounceRefund,
} from '../proof';

type Kind = 'allBack' | 'partlyBack' | 'refundRequested' | 'turnedDown';

const requestOf = (tx: Tx, orderId: string): Promise<string> =>
  find(tx, `SELECT id AS found FROM refund_requests WHERE order_id = $1`, [orderId]);

/** Breaks something of a request, and names it. */
const ofRequest = (
  invariant: string,
  how: string,
  kind: Kind,
  breaks: (tx: Tx, requestId: string) => Promise<void>,
): Proof => ({
  invariant,
  how,
  async breaks(tx, { orders }) {
    const id = await requestOf(tx, orders[kind]);
    await breaks(tx, id);
    return id;
  },
});

/** The same for a line that was given back. */
const ofItem = (how: string, kind: Kind, statement: string): Proof => ({
  invariant: 'refunds.are-of-what-was-sold',
  how,
  async breaks(tx, { orders }: HealthyWorld) {
    const request = await requestOf(tx, orders[kind]);
    await change(tx, `UPDATE refund_request_items SET ${statement} WHERE refund_request_id = $1`, [request]);
    // What is counted as refunded and as sold follows.
    await execute(tx, 'ALTER TABLE order_items DROP CONSTRAINT order_items_refunded_check');
    await execute(
      tx,
      `UPDATE order_items i SET refunded_quantity = p.quantity
       FROM refund_request_items p JOIN refund_requests r ON r.id = p.refund_request_id AND r.approved_minor IS NOT NULL
       WHERE r.id = $1 AND i.id = p.order_item_id`,
      [request],
    );
    await execute(
      tx,
      `UPDATE product_daily_sales s SET units = i.quantity - p.quantity
       FROM refund_request_items p JOIN order_items i ON i.id = p.order_item_id
       JOIN refund_requests r ON r.id = p.refund_request_id AND r.approved_minor IS NOT NULL
       WHERE r.id = $1 AND s.product_id = i.product_id`,
      [request],
    );
    return find(tx, `SELECT order_item_id AS found FROM refund_request_items WHERE refund_request_id = $1`, [
      request,
    ]);
  },
});

/** Units of an order's line are counted without a request; stock and sales follow. */
const countsOf = (
  how: string,
  kind: 'delivered' | 'returned',
  { refunded = 0, restocked = 0 }: { refunded?: number; restocked?: number },
): Proof => ({
  invariant: 'stock.units-come-back-once',
  how,
  async breaks(tx, { orders }) {
    const item = await find(tx, `SELECT id AS found FROM order_items WHERE order_id = $1 LIMIT 1`, [
      orders[kind],
    ]);
    await change(
      tx,
      `UPDATE order_items SET refunded_quantity = refunded_quantity + $2, restocked_quantity = restocked_quantity + $3
       WHERE id = $1`,
      [item, refunded, restocked],
    );
    await change(
      tx,
      `UPDATE product_daily_sales s SET units = units - $2 FROM order_items i
       WHERE i.id = $1 AND s.product_id = i.product_id`,
      [item, refunded],
    );
    await change(
      tx,
      `UPDATE stock_items s SET available = available + $2 FROM order_items i WHERE i.id = $1 AND s.id = i.stock_item_id`,
      [item, restocked],
    );
    if (restocked !== 0) await moveToShelf(tx, item, restocked);
    return item;
  },
});

export const refundProofs: readonly Proof[] = [
  ofItem('more units than were sold', 'partlyBack', 'quantity = 3'),
  ofItem(
    'all units for less than they cost',
    'refundRequested',
    'goods_minor = goods_minor - 1, tax_minor = tax_minor + 1',
  ),
  ofRequest('refunds.add-up', 'a cent more than the units cost', 'refundRequested', (tx, id) =>
    change(tx, `UPDATE refund_requests SET requested_minor = requested_minor + 1 WHERE id = $1`, [id]),
  ),
  ofRequest('refunds.take-the-sale-back', 'a refund of what is still a sale', 'partlyBack', (tx, id) =>
    misplace(tx, { kind: 'refund', subjectId: id }),
  ),
  ofRequest('refunds.send-what-is-approved', 'a cent more on the balance', 'partlyBack', (tx, id) =>
    shiftBooking(tx, { kind: 'refund-repayment', subjectId: id, part: 'wallet' }),
  ),
  ofRequest('refunds.end-with-their-money', 'a failure of what is back', 'partlyBack', async (tx, id) => {
    await unannounceRefund(tx, id);
    await change(tx, `UPDATE refund_requests SET status = 'FAILED' WHERE id = $1`, [id]);
  }),
  {
    invariant: 'stock.orders-move-their-goods',
    how: 'refunded goods that were to be available again',
    async breaks(tx, { orders: { allBack: id } }) {
      await forgetMovements(tx, 'refund_request_id', await requestOf(tx, id));
      return id;
    },
  },
  countsOf('a unit that was restocked and not refunded', 'delivered', { restocked: 1 }),
  countsOf('a unit of no request', 'delivered', { refunded: 1 }),
  countsOf('a cancelled order whose goods did not come back', 'returned', { restocked: -2 }),
  {
    invariant: 'orders.are-refunded-when-all-is-back',
    how: 'an order that stays delivered when all is back',
    async breaks(tx, { orders: { allBack: id } }) {
      await change(tx, `DELETE FROM order_status_changes WHERE order_id = $1 AND status = 'REFUNDED'`, [id]);
      await change(tx, `UPDATE orders SET status = 'DELIVERED', payment_status = 'PAID' WHERE id = $1`, [id]);
      return id;
    },
  },
  {
    invariant: 'orders.are-refunded-when-all-is-back',
    how: 'an order that is REFUNDED although a request of it has failed',
    async breaks(tx, { orders: { allBack: id } }) {
      const request = await requestOf(tx, id);
      await unannounceRefund(tx, request);
      const refund = await find(tx, `SELECT id AS found FROM payment_refunds WHERE refund_request_id = $1`, [
        request,
      ]);
      await unbook(tx, { kind: 'payment-refund', subjectId: refund });
      await change(tx, `UPDATE refund_requests SET status = 'FAILED' WHERE id = $1`, [request]);
      await change(
        tx,
        `UPDATE payment_refunds SET status = 'ABANDONED', provider_refund_id = NULL, completed_at = NULL WHERE id = $1`,
        [refund],
      );
      return id;
    },
  },
  {
    invariant: 'money.counts-what-goes-back',
    how: 'a refund of a cent more than the order counts',
    async breaks(tx, { orders: { partlyBack: id } }) {
      await change(tx, `UPDATE orders SET refunded_minor = refunded_minor - 1 WHERE id = $1`, [id]);
      return id;
    },
  },
  {
    invariant: 'money.goes-back-where-it-came-from',
    how: 'partner earnings that went to the wallet',
    async breaks(tx, { orders: { allBack: id } }) {
      const request = await requestOf(tx, id);
      const booked = `t.kind = 'refund-repayment' AND t.subject_id = $1 AND t.part = 'partner_available'`;
      const moved = `FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
        WHERE ${booked} AND b.user_id = e.user_id AND e.user_id IS NOT NULL AND b.currency = e.currency`;
      for (const [account, sign] of [
        ['partner_available', '-'],
        ['wallet', '+'],
      ])
        await change(
          tx,
          `UPDATE ledger_balances b SET balance_minor = b.balance_minor ${sign} e.amount_minor ${moved} AND b.account = $2`,
          [request, account],
        );
      await execute(
        tx,
        `UPDATE ledger_entries SET account = 'wallet'
         WHERE user_id IS NOT NULL AND transfer_id = (SELECT id FROM ledger_transfers t WHERE ${booked})`,
        [request],
      );
      return id;
    },
  },
];

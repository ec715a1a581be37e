import { change, find, forgetMovements, forgetRefund, misplace, shiftBooking, type Proof } from '../proof';

/** The proofs whose offence is named by an order's id. */
const ofOrder = (
  invariant: string,
  how: string,
  kind: keyof Parameters<Proof['breaks']>[1]['orders'],
  breaks: (...[tx, orderId]: [Parameters<Proof['breaks']>[0], string]) => Promise<unknown>,
): Proof => ({
  invariant,
  how,
  async breaks(tx, { orders }) {
    await breaks(tx, orders[kind]);
    return orders[kind];
  },
});

export const orderProofs: readonly Proof[] = [
  ofOrder('orders.add-up', 'more tax on the lines than on the order', 'paid', (tx, id) =>
    change(tx, `UPDATE order_items SET tax_minor = tax_minor + 10000 WHERE order_id = $1`, [id]),
  ),
  ofOrder('orders.add-up', 'a discount that no coupon gave', 'paid', (tx, id) =>
    change(tx, `UPDATE order_coupons SET discount_minor = discount_minor - 1 WHERE order_id = $1`, [id]),
  ),
  ofOrder('orders.add-up', 'an order of nothing', 'paid', async (tx, id) => {
    await forgetMovements(tx, 'order_id', id);
    await change(
      tx,
      `DELETE FROM product_daily_sales WHERE product_id IN (SELECT product_id FROM order_items WHERE order_id = $1)`,
      [id],
    );
    await change(tx, `DELETE FROM order_items WHERE order_id = $1`, [id]);
  }),
  ofOrder('orders.follow-their-history', 'a payment before the order', 'paid', (tx, id) =>
    change(
      tx,
      `UPDATE order_status_changes SET changed_at = changed_at - interval '1 day' WHERE order_id = $1 AND status = 'PAID'`,
      [id],
    ),
  ),
  ofOrder('orders.follow-their-history', 'a step that was left out', 'paid', (tx, id) =>
    change(tx, `DELETE FROM order_status_changes WHERE order_id = $1 AND status = 'PAID'`, [id]),
  ),
  ofOrder('orders.follow-their-history', 'a move that was not written down', 'paid', (tx, id) =>
    change(tx, `UPDATE orders SET status = 'SHIPPED' WHERE id = $1`, [id]),
  ),
  ofOrder('orders.follow-their-history', 'no history at all', 'paid', (tx, id) =>
    change(tx, `DELETE FROM order_status_changes WHERE order_id = $1`, [id]),
  ),
  ofOrder('orders.say-how-they-are-paid', 'a processed order whose payment failed', 'paid', (tx, id) =>
    change(tx, `UPDATE orders SET payment_status = 'FAILED' WHERE id = $1`, [id]),
  ),
  ofOrder('orders.tell-their-buyer', 'a buyer without a mail', 'paid', (tx, id) =>
    change(tx, `DELETE FROM outbox_messages WHERE reference = $1`, [`order:${id}:paid`]),
  ),
  ofOrder('orders.wait-no-longer-than-they-may', 'a window that passed long ago', 'unpaid', (tx, id) =>
    change(tx, `UPDATE orders SET payment_expires_at = now() - interval '1 hour' WHERE id = $1`, [id]),
  ),

  ofOrder('money.pays-orders-in-full', 'a cent too little from the wallet', 'byBalance', (tx, id) =>
    shiftBooking(tx, { kind: 'order-hold', subjectId: id, part: 'wallet' }),
  ),
  ofOrder('money.of-partners-is-held', 'a cent too little from the partner balance', 'unpaid', (tx, id) =>
    shiftBooking(tx, { kind: 'order-hold', subjectId: id, part: 'partner_available' }),
  ),
  ofOrder('money.comes-back-to-balances', 'a cent too much given back', 'returnedToBalance', (tx, id) =>
    shiftBooking(tx, { kind: 'order-repayment', subjectId: id, part: 'wallet' }),
  ),
  ofOrder('money.sales-are-booked', 'a cancelled order that is still a sale', 'returned', (tx, id) =>
    misplace(tx, { kind: 'order-cancellation', subjectId: id }),
  ),
  ofOrder('money.sales-are-booked', 'a paid order that is no sale', 'paid', (tx, id) =>
    misplace(tx, { kind: 'order-payment', subjectId: id }),
  ),
  {
    invariant: 'money.comes-back-from-providers',
    how: 'a refund that nobody thought of',
    breaks: (tx, { orders }) => forgetRefund(tx, orders.returned),
  },
  {
    invariant: 'requests.make-one-order-each',
    how: 'two keys for one order',
    async breaks(tx, { orders }) {
      await change(
        tx,
        `INSERT INTO idempotency_keys (owner, route, key, body_hash, state, minted, claimed_at, created_at)
         SELECT owner, route, 'another', body_hash, 'OPEN', minted, now(), now() FROM idempotency_keys
         WHERE minted ->> 'order' = $1`,
        [orders.paid],
      );
      return orders.paid;
    },
  },
  {
    invariant: 'requests.are-answered-truly',
    how: 'an answer with an order that is another',
    async breaks(tx, { orders }) {
      const key = await find(tx, `SELECT key AS found FROM idempotency_keys WHERE minted ->> 'order' = $1`, [
        orders.paid,
      ]);
      await change(
        tx,
        `UPDATE idempotency_keys SET minted = jsonb_set(minted, '{order}', to_jsonb(gen_random_uuid()::text)) WHERE key = $1`,
        [key],
      );
      return key;
    },
  },
  {
    invariant: 'requests.are-answered-truly',
    how: 'a refusal of what was ordered all the same',
    async breaks(tx, { orders }) {
      const key = await find(tx, `SELECT key AS found FROM idempotency_keys WHERE minted ->> 'order' = $1`, [
        orders.paid,
      ]);
      await change(
        tx,
        `UPDATE idempotency_keys SET status = 400, body = to_jsonb('{"error":{}}'::text) WHERE key = $1`,
        [key],
      );
      return key;
    },
  },
];

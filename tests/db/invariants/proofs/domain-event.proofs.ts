import { queueEvents } from '../../../support/builders/make/partners/partner-sales';
import { change, find, type Proof } from '../proof';

/** Wrong domain events. */
export const domainEventProofs: readonly Proof[] = [
  {
    invariant: 'events.announce-payments',
    how: 'an order that was paid and nobody was told',
    async breaks(tx, { orders }) {
      await change(tx, `DELETE FROM domain_events WHERE reference = $1`, [`order.paid:${orders.paid}`]);
      return orders.paid;
    },
  },
  {
    invariant: 'events.announce-payments',
    how: 'an announcement of an order that waits for payment',
    async breaks(tx, { orders }) {
      await change(
        tx,
        `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
         SELECT gen_random_uuid(), type, $2, $3, data, occurred_at FROM domain_events WHERE reference = $1`,
        [`order.paid:${orders.byBalance}`, `order.paid:${orders.unpaid}`, orders.unpaid],
      );
      await queueEvents(tx, 'reference = $1', [`order.paid:${orders.unpaid}`]);
      return orders.unpaid;
    },
  },
  {
    invariant: 'events.announce-payments',
    how: 'an announcement of other goods than the order is of',
    async breaks(tx, { orders }) {
      await change(
        tx,
        `UPDATE domain_events SET data = jsonb_set(data, '{goodsMinor}', '1') WHERE reference = $1`,
        [`order.paid:${orders.paid}`],
      );
      return orders.paid;
    },
  },
  {
    invariant: 'events.announce-refunds',
    how: 'a cancelled order whose refund nobody was told of',
    async breaks(tx, { orders }) {
      await change(tx, `DELETE FROM domain_events WHERE reference = $1`, [
        `refund.completed:${orders.returned}`,
      ]);
      return orders.returned;
    },
  },
  {
    invariant: 'events.announce-refunds',
    how: 'a refund that is back and that nobody was told of',
    async breaks(tx, { orders }) {
      const request = await find(tx, `SELECT id AS found FROM refund_requests WHERE order_id = $1`, [
        orders.allBack,
      ]);
      await change(tx, `DELETE FROM domain_events WHERE reference = $1`, [`refund.completed:${request}`]);
      return request;
    },
  },
  ...(['goodsMinor', 'shippingMinor', 'taxMinor'] as const).map((amount): Proof => ({
    invariant: 'events.announce-refunds',
    how: `a refund that is announced with another ${amount}`,
    async breaks(tx, { orders }) {
      await change(
        tx,
        `UPDATE domain_events SET data = jsonb_set(data, ARRAY[$2::text], to_jsonb((data ->> $2::text)::bigint - 1)) WHERE reference = $1`,
        [`refund.completed:${orders.returned}`, amount],
      );
      return orders.returned;
    },
  })),
  {
    invariant: 'events.announce-refunds',
    how: 'a refund that waits for its decision and was announced',
    async breaks(tx, { orders }) {
      const request = await find(
        tx,
        `SELECT id AS found FROM refund_requests WHERE status IN ('PENDING_REVIEW', 'REJECTED') LIMIT 1`,
      );
      await change(
        tx,
        `INSERT INTO domain_events (id, type, reference, entity_id, data, occurred_at)
         SELECT gen_random_uuid(), type, $2, entity_id, data || '{"goodsMinor": 0, "categories": []}', occurred_at
         FROM domain_events WHERE reference = $1`,
        [`refund.completed:${orders.returned}`, `refund.completed:${request}`],
      );
      await queueEvents(tx, 'reference = $1', [`refund.completed:${request}`]);
      return orders.returned;
    },
  },
  {
    invariant: 'events.announce-refunds',
    how: 'a refund whose categories are not all of its goods',
    async breaks(tx, { orders }) {
      await change(
        tx,
        `UPDATE domain_events SET data = jsonb_set(data, '{categories}', '[]') WHERE reference = $1`,
        [`refund.completed:${orders.returned}`],
      );
      return orders.returned;
    },
  },
  {
    invariant: 'events.take-back-no-more-than-they-gave',
    how: 'a refund of goods in a category that the order has none of',
    async breaks(tx, { orders }) {
      await change(
        tx,
        `UPDATE domain_events SET data = jsonb_set(data, '{categories,0,categoryId}', to_jsonb(gen_random_uuid()))
         WHERE reference = $1`,
        [`refund.completed:${orders.returned}`],
      );
      return orders.returned;
    },
  },
  {
    invariant: 'events.announce-what-chargebacks-pay',
    how: 'a refund that was sent, announced as paid by a chargeback',
    async breaks(tx, { orders }) {
      await change(
        tx,
        `UPDATE domain_events SET data = jsonb_set(data, '{chargedBackMinor}', '1') WHERE reference = $1`,
        [`refund.completed:${orders.returned}`],
      );
      return orders.returned;
    },
  },
  {
    invariant: 'events.announce-chargebacks',
    how: 'a chargeback that is lost and that nobody was told of',
    async breaks(tx, { orders }) {
      await change(tx, `UPDATE chargebacks SET status = 'LOST' WHERE order_id = $1`, [orders.chargedBack]);
      return find(tx, 'SELECT id AS found FROM chargebacks WHERE order_id = $1', [orders.chargedBack]);
    },
  },
  {
    invariant: 'events.take-back-no-more-than-they-gave',
    how: 'a refund of more goods than were sold',
    async breaks(tx, { orders }) {
      await change(tx, `UPDATE domain_events SET entity_id = $2 WHERE reference = $1`, [
        `refund.completed:${orders.returned}`,
        orders.allBack,
      ]);
      return orders.allBack;
    },
  },
];

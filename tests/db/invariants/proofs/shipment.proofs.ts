import type { Tx } from '../../../../db/sql/query';
import type { HealthyWorld } from '../healthy.world';
import { change, type Proof } from '../proof';

/** Breaks something of one order and names it. */
const ofOrder = (
  invariant: string,
  how: string,
  kind: keyof HealthyWorld['orders'],
  breaks: (tx: Tx, orderId: string) => Promise<void>,
): Proof => ({
  invariant,
  how,
  async breaks(tx, { orders }) {
    await breaks(tx, orders[kind]);
    return orders[kind];
  },
});

const FOLLOW = 'shipments.follow-their-orders';
const FOLLOWED = 'shipments.can-be-followed';

export const shipmentProofs: readonly Proof[] = [
  ofOrder(FOLLOW, 'an arrival that the parcel does not know', 'delivered', (tx, id) =>
    change(tx, `UPDATE shipments SET delivered_at = NULL WHERE order_id = $1`, [id]),
  ),
  ofOrder(FOLLOW, 'a history that says it arrived later', 'delivered', (tx, id) =>
    change(
      tx,
      `UPDATE order_status_changes SET changed_at = changed_at + interval '1 second'
       WHERE order_id = $1 AND status = 'DELIVERED'`,
      [id],
    ),
  ),
  ofOrder(FOLLOW, 'a parcel that left while its order stayed', 'paid', async (tx, id) => {
    await change(
      tx,
      `INSERT INTO shipments (order_id, shipped_at, updated_at) VALUES ($1, '2026-03-01Z', '2026-03-01Z')`,
      [id],
    );
    await change(
      tx,
      `INSERT INTO tracking_events (id, order_id, status, description, happened_at, created_at)
       VALUES (gen_random_uuid(), $1, 'SHIPPED', '', '2026-03-01Z', '2026-03-01Z')`,
      [id],
    );
  }),
  ofOrder(FOLLOWED, 'a parcel of which nobody was told that it left', 'shipped', (tx, id) =>
    change(tx, `DELETE FROM tracking_events WHERE order_id = $1 AND status = 'SHIPPED'`, [id]),
  ),
  ofOrder(FOLLOWED, 'a parcel that is under way before it left', 'paid', (tx, id) =>
    change(
      tx,
      `INSERT INTO tracking_events (id, order_id, status, description, happened_at, created_at)
       VALUES (gen_random_uuid(), $1, 'IN_TRANSIT', '', now(), now())`,
      [id],
    ),
  ),
];

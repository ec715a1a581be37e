import { v7 } from 'uuid';
import { statusSince } from '../../../db/commerce/order/order-status-change.reads';
import { moveOrder } from '../../../db/commerce/order/order.transitions';
import { addTrackingEvent, keepShipment, shipmentOf } from '../../../db/commerce/shipment/shipment.writes';
import type { Policy } from '../../../db/policy/config';
import type { Db, Tx } from '../../../db/sql/query';
import type { FulfilmentDeadline } from '../../../workflows/commerce/order/fulfilment.contract';
import type { OrderStanding } from '../../../workflows/commerce/order/order.contract';
import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import { requireOrder, standingOf } from './place-order';

const DAY_MS = 24 * 3_600_000;

/** How many days an order may stay in a status; null: as long as it likes. */
function daysIn(status: OrderStatus, policy: Policy): number | null {
  if (status === 'SHIPPED') return policy.deliveredAfterDays;
  return status === 'PAID' || status === 'PROCESSING' ? policy.processingDays : null;
}

/** Until when an order may stay as it stands, counted from `askedAt` where a person was asked since. */
export async function deadlineOf(
  db: Db,
  policy: Policy,
  { orderId, askedAt }: { orderId: string; askedAt: string | null },
): Promise<FulfilmentDeadline> {
  const found = await statusSince(db, orderId);
  if (!found) throw new Error(`There is no order ${orderId}.`);
  const { status, since } = found;
  const days = daysIn(status, policy);
  if (days === null) return { status, until: null };
  const from = Math.max(since.getTime(), askedAt === null ? 0 : Date.parse(askedAt));
  return { status, until: new Date(from + days * DAY_MS).toISOString() };
}

/** Counts a parcel as delivered that left long enough ago, in the caller's transaction. */
export async function deliverInTimeIn(
  tx: Tx,
  policy: Policy,
  { orderId, at }: { orderId: string; at: string },
): Promise<OrderStanding> {
  const order = await requireOrder(tx, orderId);
  const standing = standingOf(order);
  const { until } = await deadlineOf(tx, policy, { orderId, askedAt: null });
  if (order.status !== 'SHIPPED' || until === null || Date.parse(until) > Date.parse(at)) return standing;
  const days = policy.deliveredAfterDays;
  const note = `counted as delivered ${days} days after it was shipped`;
  const movedAt = await moveOrder(tx, order, { to: 'DELIVERED', note, by: null, at });
  await keepShipment(tx, orderId, { ...(await shipmentOf(tx, orderId)), deliveredAt: movedAt }, movedAt);
  const description = `Counted as delivered: ${days} days have passed since it was shipped.`;
  const event = { id: v7(), orderId, status: 'DELIVERED' as const, location: null, description };
  await addTrackingEvent(tx, { ...event, happenedAt: movedAt }, movedAt);
  return { ...standing, status: 'DELIVERED' };
}

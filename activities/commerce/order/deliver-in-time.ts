import { v7 } from 'uuid';
import { moveOrder } from '../../../db/commerce/order/order.transitions';
import { insertTrackingEvent, saveShipment, shipmentOf } from '../../../db/commerce/shipment/shipment.writes';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { OrderState } from '../../../workflows/commerce/order/order.contract';
import { fulfilmentDeadline } from './fulfilment-deadline';
import { orderStateOf, requireOrder } from './require-order';

/** Moves an order to DELIVERED after its days in SHIPPED; any other order is only read. */
export const deliverInTime = (
  { db, policy }: { db: Db; policy: Policy },
  { orderId, at }: { orderId: string; at: string },
): Promise<OrderState> =>
  inTransaction(db, async (tx) => {
    const order = await requireOrder(tx, orderId);
    const state = orderStateOf(order);
    const { until } = await fulfilmentDeadline({ db: tx, policy }, { orderId, askedAt: null });
    if (order.status !== 'SHIPPED' || until === null || Date.parse(until) > Date.parse(at)) return state;
    const days = policy.deliveredAfterDays;
    const note = `counted as delivered ${days} days after it was shipped`;
    const movedAt = await moveOrder(tx, order, { to: 'DELIVERED', note, by: null, at });
    await saveShipment(tx, orderId, { ...(await shipmentOf(tx, orderId)), deliveredAt: movedAt }, movedAt);
    const description = `Counted as delivered: ${days} days have passed since it was shipped.`;
    const event = { id: v7(), orderId, status: 'DELIVERED' as const, location: null, description };
    await insertTrackingEvent(tx, { ...event, happenedAt: movedAt }, movedAt);
    return { ...state, status: 'DELIVERED' };
  });

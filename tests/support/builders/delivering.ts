import { v7 } from 'uuid';
import type { Db } from '../../../db/sql/query';
import {
  fulfilmentProcess,
  moveOrder,
  type MovedOrder,
} from '../../../workflows/commerce/order/fulfilment.contract';
import { make } from './make';
import { noteOf, orderSteps, paidOrder, type OrderCommand } from './ordering';
import type { World } from '../worlds/world';

type Circumstances = Parameters<typeof paidOrder>[1];
type Moved = OrderCommand & { at: string };

/** An order that was paid by card and shipped, by steps without a process. */
export async function shippedOrder(db: Db, by: Circumstances = {}): Promise<Moved> {
  const order = await paidOrder(db, by);
  const { orderId, at } = order;
  const steps = orderSteps(db);
  await steps.beginProcessing({ orderId, at });
  await steps.moveOrder({ orderId, to: 'SHIPPED', ...(await byStaff(db)), at });
  return order;
}

/** Such an order, delivered. */
export async function deliveredOrder(db: Db, by: Circumstances = {}): Promise<Moved> {
  const order = await shippedOrder(db, by);
  const { orderId, at } = order;
  await orderSteps(db).moveOrder({ orderId, to: 'DELIVERED', ...(await byStaff(db)), at });
  return order;
}

async function byStaff(db: Db): Promise<{ noteId: string; notifyCustomer: boolean }> {
  const { id } = await make.admin(db);
  return { noteId: await noteOf(db, id, null), notifyCustomer: false };
}

/**
 * Moves an order through its process, as an administrator does. Its fulfilment must have begun: wait until the order is
 * PROCESSING before you move it to SHIPPED.
 */
export async function moves(
  { db, processes }: Pick<World, 'db' | 'processes'>,
  orderId: string,
  ...statuses: ('SHIPPED' | 'DELIVERED')[]
): Promise<MovedOrder> {
  let moved: MovedOrder | undefined;
  for (const to of statuses)
    moved = await processes.ask(
      fulfilmentProcess.id({ orderId }),
      moveOrder,
      { to, ...(await byStaff(db)) },
      { updateId: v7(), ifClosed: 'VALIDATION_ERROR' },
    );
  if (!moved) throw new Error('No status to move the order to.');
  return moved;
}

import { v7 } from 'uuid';
import {
  fulfilmentProcess,
  moveOrder,
  type MovedOrder,
} from '../../../workflows/commerce/fulfilment/fulfilment.contract';
import { byStaff } from './given/steps';
import type { World } from '../worlds/world';

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
      { updateId: v7() },
    );
  if (!moved) throw new Error('No status to move the order to.');
  return moved;
}

import { moveOrder } from '../../../db/commerce/order/order.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type { OrderState } from '../../../workflows/commerce/order/order.contract';
import type { DbDeps } from '../../steps';
import { orderStateOf, requireOrder } from './require-order';

/** Moves a paid order to PROCESSING; any other order is only read. */
export const beginProcessing = (
  { db }: DbDeps,
  { orderId, at }: { orderId: string; at: string },
): Promise<OrderState> =>
  inTransaction(db, async (tx) => {
    const order = await requireOrder(tx, orderId);
    if (order.status !== 'PAID') return orderStateOf(order);
    await moveOrder(tx, order, { to: 'PROCESSING', note: null, by: null, at });
    return { ...orderStateOf(order), status: 'PROCESSING' };
  });

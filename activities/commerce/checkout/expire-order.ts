import { inTransaction } from '../../../db/sql/transaction';
import type { OrderState } from '../../../workflows/commerce/order/order.contract';
import { cancelUnpaidOrder } from '../order/cancel-unpaid-order';
import { orderStateOf, requireOrder } from '../order/require-order';
import type { DbDeps } from '../../steps';

/** Cancels an unpaid order after its payment window; any other order is only read. */
export const expireOrder = (
  { db }: DbDeps,
  { orderId, at }: { orderId: string; at: string },
): Promise<OrderState> =>
  inTransaction(db, async (tx) => {
    const order = await requireOrder(tx, orderId);
    if (order.status !== 'PENDING_PAYMENT' || order.payBy > at) return orderStateOf(order);
    await cancelUnpaidOrder(tx, order, { note: 'payment expired', by: null, at });
    return { ...orderStateOf(order), status: 'CANCELLED' };
  });

import type { Placement } from '../../../db/commerce/checkout/placement.reads';
import { lockOrder, type LockedOrder } from '../../../db/commerce/order/order.transitions';
import { hasPagesLeft } from '../../../db/commerce/payment/newest-attempt.reads';
import type { Db, Tx } from '../../../db/sql/query';
import { orderLabel } from '../../../workflows/commerce/order/order-label.rules';
import type { OrderState } from '../../../workflows/commerce/order/order.contract';

/** The order, locked. Its process exists only because it was placed, so a missing order is a defect. */
export async function requireOrder(tx: Tx, orderId: string): Promise<LockedOrder> {
  const order = await lockOrder(tx, orderId);
  if (!order) throw new Error(`There is no order ${orderId}.`);
  return order;
}

/** The state of an order for its processes. */
export const orderStateOf = (order: LockedOrder | Placement): OrderState => ({
  status: order.status,
  payBy: order.payBy,
  wasPaid: order.paidAt !== null,
  label: labelOf(order),
});

/** The state of an order, and whether a page on which it could still be paid may be open. */
export async function orderStateWithPages(db: Db, order: LockedOrder | Placement): Promise<OrderState> {
  const state = orderStateOf(order);
  if (state.status === 'PENDING_PAYMENT') return state;
  const orderId = 'id' in order ? order.id : order.orderId;
  return (await hasPagesLeft(db, { orderId })) ? { ...state, pagesLeft: true } : state;
}

/** An order as people name it, for summaries. */
export const labelOf = (order: LockedOrder | Placement): string =>
  orderLabel(
    'number' in order ? { ...order, orderNumber: order.number } : { ...order, paymentMethod: order.method },
  );

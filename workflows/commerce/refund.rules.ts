import type { OrderStatus } from './order.states';

/** How long after delivery goods may be given back. */
const REFUND_WINDOW_MS = 14 * 24 * 3_600_000;

/** Whether a buyer may ask for money back: from when the parcel leaves until 14 days after it arrived. */
export function isRefundable(order: { status: OrderStatus; deliveredAt: Date | null }, at: Date): boolean {
  if (order.status === 'SHIPPED') return true;
  if (order.status !== 'DELIVERED' || order.deliveredAt === null) return false;
  return at.getTime() - order.deliveredAt.getTime() <= REFUND_WINDOW_MS;
}

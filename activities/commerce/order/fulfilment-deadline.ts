import { statusSince } from '../../../db/commerce/order/order-status-change.reads';
import type { Policy } from '../../../db/policy/config';
import type { Db } from '../../../db/sql/query';
import type { FulfilmentDeadline } from '../../../workflows/commerce/fulfilment/fulfilment.contract';
import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import { DAY_MS } from '../../../workflows/kit/values/durations.rules';

/** The number of days that an order may stay in a status; null: without limit. */
function daysIn(status: OrderStatus, policy: Policy): number | null {
  if (status === 'SHIPPED') return policy.deliveredAfterDays;
  return status === 'PAID' || status === 'PROCESSING' ? policy.processingDays : null;
}

/** The time until which an order may stay in its status, counted from `askedAt` if operators were asked since. */
export async function fulfilmentDeadline(
  { db, policy }: { db: Db; policy: Policy },
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

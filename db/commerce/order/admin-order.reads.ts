import type { Attributes } from 'sequelize';
import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import type { User } from '../../identity/user/user.model';
import { anywhere } from '../../sql/search-pattern';
import { firstRow, rows, type Db } from '../../sql/query';
import type { Order } from './order.model';
import type { OrderHead } from './order.reads';
import { until } from '../../sql/until';

/** Conditions on orders; one that is left out does not narrow. Times are of the creation, and inclusive. */
export interface AdminOrderFilter {
  status?: OrderStatus | undefined;
  paymentStatus?: OrderHead['paymentStatus'] | undefined;
  userId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /** A part of the order's number or of the buyer's e-mail address, in any case. */
  search?: string | undefined;
}

export type AdminOrderRow = OrderHead &
  Pick<Attributes<User>, 'email'> & {
    /** First and last name of the buyer. */
    name: string;
    itemCount: number;
    shippingMethod: Attributes<Order>['shippingMethodName'];
  };

/** Of all orders that fit the filter. Amounts are in minor units of the platform's currency. */
export interface OrderTotals {
  totalOrders: number;
  /** Payments without refunds. */
  revenueMinor: number;
  pendingPayment: number;
  processing: number;
  shipped: number;
}

/** One page of the orders that fit, newest first, with totals of all of them. */
export async function adminOrders(
  db: Db,
  filter: AdminOrderFilter,
  { limit, offset }: { limit: number; offset: number },
): Promise<{ totals: OrderTotals; orders: AdminOrderRow[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = conditionsOf(filter, bind);
  const totals = await firstRow<OrderTotals>(
    db,
    `SELECT count(*)::int AS total_orders,
       coalesce(sum(o.total_minor - o.refunded_minor) FILTER (WHERE o.paid_at IS NOT NULL), 0)::bigint AS revenue_minor,
       (count(*) FILTER (WHERE o.status = 'PENDING_PAYMENT'))::int AS pending_payment,
       (count(*) FILTER (WHERE o.status = 'PROCESSING'))::int AS processing,
       (count(*) FILTER (WHERE o.status = 'SHIPPED'))::int AS shipped
     FROM orders o JOIN users u ON u.id = o.user_id WHERE ${where}`,
    values,
  );
  if (!totals) throw new Error('A sum of orders has no row.');
  const orders = await rows<AdminOrderRow>(
    db,
    `SELECT o.id, o.number AS order_number, o.user_id, u.email, u.first_name || ' ' || u.last_name AS name,
       o.status, o.payment_status, o.currency, o.total_minor,
       o.shipping_method_name AS shipping_method, o.created_at, o.updated_at,
       (SELECT count(*)::int FROM order_items i WHERE i.order_id = o.id) AS item_count
     FROM orders o JOIN users u ON u.id = o.user_id WHERE ${where}
     ORDER BY o.created_at DESC, o.id DESC LIMIT ${bind(limit)} OFFSET ${bind(offset)}`,
    values,
  );
  return { totals, orders };
}

function conditionsOf(filter: AdminOrderFilter, bind: (value: unknown) => string): string {
  const { status, paymentStatus, userId, from, to, search } = filter;
  const conditions = ['true'];
  if (status !== undefined) conditions.push(`o.status = ${bind(status)}`);
  if (paymentStatus !== undefined) conditions.push(`o.payment_status = ${bind(paymentStatus)}`);
  if (userId !== undefined) conditions.push(`o.user_id = ${bind(userId)}`);
  if (from !== undefined) conditions.push(`o.created_at >= ${bind(from)}`);
  if (to !== undefined) conditions.push(until('o.created_at', bind(to)));
  if (search !== undefined && search !== '') {
    const part = bind(anywhere(search));
    conditions.push(`(o.number ILIKE ${part} OR u.email ILIKE ${part})`);
  }
  return conditions.join(' AND ');
}

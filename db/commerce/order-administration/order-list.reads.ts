import type { Attributes } from 'sequelize';
import type { User } from '../../identity/user/user.model';
import { firstRow, rows, type Db } from '../../sql/query';
import type { Order } from '../order/order.model';
import type { OrderHead } from '../order/order.reads';
import { orderConditions, type AdminOrderFilter } from './order-filter.reads';

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

export type OrderSorting = 'createdAt' | 'updatedAt' | 'total';

export interface OrderPage {
  sortBy: OrderSorting;
  sortOrder: 'asc' | 'desc';
  limit: number;
  offset: number;
}

const COLUMNS: Record<OrderSorting, string> = {
  createdAt: 'o.created_at',
  updatedAt: 'o.updated_at',
  total: 'o.total_minor',
};

/** One page of the orders that fit, with totals of all of them. */
export async function adminOrders(
  db: Db,
  filter: AdminOrderFilter,
  { sortBy, sortOrder, limit, offset }: OrderPage,
): Promise<{ totals: OrderTotals; orders: AdminOrderRow[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = orderConditions(filter, bind);
  const totals = await firstRow<OrderTotals>(
    db,
    `SELECT count(*)::int AS total_orders,
       coalesce(sum(o.total_minor - o.refunded_minor) FILTER (WHERE o.paid_at IS NOT NULL), 0)::bigint AS revenue_minor,
       (count(*) FILTER (WHERE o.status = 'PENDING_PAYMENT'))::int AS pending_payment,
       (count(*) FILTER (WHERE o.status = 'PROCESSING'))::int AS processing,
       (count(*) FILTER (WHERE o.status = 'SHIPPED'))::int AS shipped
     FROM orders o WHERE ${where}`,
    values,
  );
  if (!totals) throw new Error('A sum of orders has no row.');
  const direction = sortOrder === 'asc' ? 'ASC' : 'DESC';
  const order = `${COLUMNS[sortBy]} ${direction}, o.id ${direction}`;
  const orders = await rows<AdminOrderRow>(
    db,
    `WITH o AS MATERIALIZED (
       SELECT o.* FROM orders o WHERE ${where} ORDER BY ${order} LIMIT ${bind(limit)} OFFSET ${bind(offset)})
     SELECT o.id, o.number AS order_number, o.user_id, u.email, u.first_name || ' ' || u.last_name AS name,
       o.status, o.payment_status, o.currency, o.total_minor,
       o.shipping_method_name AS shipping_method, o.created_at, o.updated_at,
       (SELECT count(*)::int FROM order_items i WHERE i.order_id = o.id) AS item_count
     FROM o JOIN users u ON u.id = o.user_id ORDER BY ${order}`,
    values,
  );
  return { totals, orders };
}

import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import { rows, type Db } from '../../sql/query';
import { anywhere, contains } from '../../sql/text/search';
import { until } from '../../sql/until';
import type { OrderHead } from '../order/order.reads';
import { SEARCHED_USER } from '../../identity/user-administration/searched-user';
import { isUuid } from '../../../workflows/kit/values/uuid.rules';

/** Conditions on orders; one that is left out does not narrow. Times are of the creation, and inclusive. */
export interface AdminOrderFilter {
  /** Any of these. */
  statuses?: readonly OrderStatus[] | undefined;
  /** Any of these orders. */
  orderIds?: readonly string[] | undefined;
  /** Any of these. */
  paymentStatuses?: readonly OrderHead['paymentStatus'][] | undefined;
  userId?: string | undefined;
  /** The code of a coupon that was used, in any case. */
  coupon?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  /**
   * Ignoring case and accents, a part of the order's number, of the buyer's name, e-mail address or phone number, of the
   * recipient's name, of an ordered SKU or of the tracking number; or the whole id of the order.
   */
  search?: string | undefined;
}

/** Binds a value to a statement; returns its placeholder. */
type Bind = (value: unknown) => string;

/** The conditions as a fragment over `o`. */
export function orderConditions(filter: AdminOrderFilter, bind: Bind): string {
  const { statuses, orderIds, paymentStatuses, userId, coupon, from, to, search } = filter;
  const conditions = ['true'];
  if (statuses !== undefined) conditions.push(`o.status = ANY (${bind(statuses)})`);
  if (orderIds !== undefined) conditions.push(`o.id = ANY (${bind(orderIds)}::uuid[])`);
  if (paymentStatuses !== undefined) conditions.push(`o.payment_status = ANY (${bind(paymentStatuses)})`);
  if (userId !== undefined) conditions.push(`o.user_id = ${bind(userId)}`);
  if (coupon !== undefined)
    conditions.push(`o.id IN (SELECT u.order_id FROM order_coupons u JOIN coupons c ON c.id = u.coupon_id
      WHERE c.code = upper(${bind(coupon)}))`);
  if (from !== undefined) conditions.push(`o.created_at >= ${bind(from)}`);
  if (to !== undefined) conditions.push(until('o.created_at', bind(to)));
  if (search !== undefined && search !== '') conditions.push(`o.id IN (${found(search, bind)})`);
  return conditions.join(' AND ');
}

/** The ids of the orders that a search finds, at most `limit` of them. */
export async function ordersFound(db: Db, search: string, limit: number): Promise<string[]> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const where = orderConditions({ search }, bind);
  const found = await rows<{ id: string }>(
    db,
    `SELECT o.id FROM orders o WHERE ${where} LIMIT ${bind(limit)}`,
    values,
  );
  return found.map(({ id }) => id);
}

/**
 * The ids of the orders that a search finds. Each part reads an index of its own, of whose expression it is the only
 * spelling; conditions on several tables in one `OR` could read none of them.
 */
function found(search: string, bind: Bind): string {
  if (isUuid(search)) return `${bind(search)}::uuid`;
  const part = bind(anywhere(search));
  return `SELECT f.id FROM orders f
      WHERE ${contains(`(f.number || E'\\n' || coalesce(f.shipping_address ->> 'recipientName', ''))`, part)}
    UNION SELECT f.id FROM orders f JOIN users u ON u.id = f.user_id
      WHERE ${contains(SEARCHED_USER, part)}
    UNION SELECT i.order_id FROM order_items i WHERE ${contains('i.sku', part)}
    UNION SELECT s.order_id FROM shipments s WHERE ${contains('s.tracking_number', part)}`;
}

import type { Attributes } from 'sequelize';
import type { RefundShares, ReturnableLine } from '../../../workflows/commerce/refund/refund-claim.rules';
import type { User } from '../../identity/user/user.model';
import { firstRow, literals, rows, type Db, type Tx } from '../../sql/query';
import { table } from '../../sql/table';
import { OPEN_REFUND_REQUESTS } from '../../../workflows/commerce/refund/refund-request.states';
import { RefundRequest } from './refund-request.model';

/** The lines of an order that could still be given back, and when it was delivered. */
export interface Returnable {
  /** `requested`: units in a request that waits for its decision, which `returned` counts too. */
  lines: (ReturnableLine & { requested: number })[];
  /** The amounts that were approved before. */
  back: RefundShares;
  deliveredAt: Date | null;
}

/** Units of a line in a request that waits for its decision. A fragment over `i`. */
const REQUESTED = `coalesce((SELECT sum(ri.quantity) FROM refund_request_items ri
         JOIN refund_requests rr ON rr.id = ri.refund_request_id
         WHERE ri.order_item_id = i.id AND rr.status = 'PENDING_REVIEW'), 0)::int`;

/** Units of a line that are refunded or in a request that waits for its decision. A fragment over `i`. */
export const RETURNED = `(i.refunded_quantity + ${REQUESTED})`;

/** The worth of those units, as they were claimed: their goods, or the tax on these. A fragment over `i`. */
export const returnedMinor = (share: 'goods' | 'tax'): string =>
  `coalesce((SELECT sum(ri.${share}_minor) FROM refund_request_items ri
         JOIN refund_requests rr ON rr.id = ri.refund_request_id
         WHERE ri.order_item_id = i.id AND rr.status <> 'REJECTED'), 0)::bigint`;

/** True if a request of the buyer is open. A fragment over `o`. */
export const IS_ASKED_BACK = `EXISTS (SELECT 1 FROM refund_requests rr WHERE rr.order_id = o.id
         AND NOT rr.by_shop AND rr.status IN (${literals(OPEN_REFUND_REQUESTS)}))`;

/** The amounts approved of an order, as JSON: goods, shipping and their taxes. A fragment over `o`. */
export const BACK = `(SELECT json_build_object('goodsMinor', coalesce(sum(rr.goods_back_minor), 0),
         'goodsTaxMinor', coalesce(sum(rr.goods_tax_back_minor), 0),
         'shippingMinor', coalesce(sum(rr.shipping_back_minor), 0),
         'shippingTaxMinor', coalesce(sum(rr.shipping_tax_back_minor), 0))
       FROM refund_requests rr WHERE rr.order_id = o.id)`;

/** The amounts approved of an order: goods, shipping and their taxes. */
export async function approvedOf(db: Db, orderId: string): Promise<RefundShares> {
  const found = await firstRow<{ back: RefundShares }>(
    db,
    `SELECT ${BACK} AS back FROM orders o WHERE o.id = $1`,
    [orderId],
  );
  if (!found) throw new Error(`There is no order ${orderId}.`);
  return found.back;
}

/** Reads what of an order could be given back. */
export async function returnableOf(db: Db, orderId: string): Promise<Returnable> {
  const lines = await rows<Returnable['lines'][number]>(
    db,
    `SELECT i.id AS item_id, i.quantity, ${RETURNED} AS returned, ${REQUESTED} AS requested,
       i.total_minor - i.discount_minor AS goods_minor, i.tax_minor,
       ${returnedMinor('goods')} AS returned_goods_minor, ${returnedMinor('tax')} AS returned_tax_minor
     FROM order_items i WHERE i.order_id = $1 ORDER BY i.position`,
    [orderId],
  );
  const delivered = await firstRow<{ at: Date }>(
    db,
    `SELECT changed_at AS at FROM order_status_changes WHERE order_id = $1 AND status = 'DELIVERED'`,
    [orderId],
  );
  return { lines, back: await approvedOf(db, orderId), deliveredAt: delivered?.at ?? null };
}

/** A request as people read it. JSON sub-lists carry their numbers as JSON does: all are safe integers. */
export type RefundRequestRow = Pick<
  Attributes<RefundRequest>,
  | 'id'
  | 'orderId'
  | 'userId'
  | 'status'
  | 'reason'
  | 'description'
  | 'requestedMinor'
  | 'approvedMinor'
  | 'currency'
  | 'createdAt'
  | 'decidedAt'
  | 'decidedBy'
  | 'byShop'
> &
  Pick<Attributes<User>, 'email' | 'firstName' | 'lastName'> & {
    orderNumber: string;
    items: { itemId: string; productName: string; quantity: number; amountMinor: number }[];
  };

const REQUEST = `r.id, r.order_id, o.number AS order_number, r.user_id, u.email,
  u.first_name, u.last_name, r.status, r.reason, r.description,
  r.requested_minor, r.approved_minor, r.currency,
  coalesce((SELECT json_agg(json_build_object('itemId', i.id, 'productName', i.name, 'quantity', p.quantity,
      'amountMinor', p.goods_minor + p.tax_minor) ORDER BY i.position)
     FROM refund_request_items p JOIN order_items i ON i.id = p.order_item_id
    WHERE p.refund_request_id = r.id), '[]') AS items,
  r.created_at, r.decided_at, r.decided_by, r.by_shop`;
const OF = `JOIN orders o ON o.id = r.order_id JOIN users u ON u.id = r.user_id`;

/** One page of the requests that a fragment over `r` finds, newest first; `total` counts them all. */
export async function refundRequestPage(
  db: Db,
  { where, bind }: { where: string; bind: readonly unknown[] },
  page: { limit: number; offset: number },
): Promise<{ total: number; requests: RefundRequestRow[] }> {
  const counted = await firstRow<{ total: number }>(
    db,
    `SELECT count(*)::int AS total FROM refund_requests r WHERE ${where}`,
    bind,
  );
  const [limit, offset] = [`$${bind.length + 1}`, `$${bind.length + 2}`];
  const requests = await rows<RefundRequestRow>(
    db,
    `WITH r AS MATERIALIZED (
       SELECT r.* FROM refund_requests r WHERE ${where}
       ORDER BY r.created_at DESC, r.id DESC LIMIT ${limit} OFFSET ${offset})
     SELECT ${REQUEST} FROM r ${OF} ORDER BY r.created_at DESC, r.id DESC`,
    [...bind, page.limit, page.offset],
  );
  return { total: counted?.total ?? 0, requests };
}

/** One request; null when there is none. */
export function refundRequest(db: Db, id: string): Promise<RefundRequestRow | null> {
  return firstRow<RefundRequestRow>(db, `SELECT ${REQUEST} FROM refund_requests r ${OF} WHERE r.id = $1`, [
    id,
  ]);
}

/** Every request of a person, newest first, for the export of their data. */
export function refundRequestsOf(db: Db, userId: string): Promise<RefundRequestRow[]> {
  return rows<RefundRequestRow>(
    db,
    `SELECT ${REQUEST} FROM refund_requests r ${OF} WHERE r.user_id = $1 ORDER BY r.created_at DESC, r.id DESC`,
    [userId],
  );
}

/** True if a request of this order's buyer is still open. */
export const hasOpenRequest = async (tx: Tx, orderId: string): Promise<boolean> =>
  (await table(tx, RefundRequest).count({ orderId, byShop: false, status: [...OPEN_REFUND_REQUESTS] })) > 0;

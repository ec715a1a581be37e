import type { Attributes } from 'sequelize';
import type { RefundRequestStatus } from '../../../workflows/commerce/refund/refund-request.states';
import { ofUser } from '../../identity/user-administration/of-user';
import { firstRow, type Db } from '../../sql/query';
import { until } from '../../sql/until';
import { isUuid } from '../../../workflows/kit/values/uuid.rules';
import type { RefundRequest } from './refund-request.model';
import { refundRequestPage, type RefundRequestRow } from './refund-request.reads';

/** Conditions on requests; one that is left out does not narrow. Times are of the creation, and inclusive. */
export interface RefundRequestFilter {
  status?: RefundRequestStatus | undefined;
  /** The id or the number of an order. */
  order?: string | undefined;
  /** The id or the email address of a buyer. */
  buyer?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
}

/** One page of all requests that fit, newest first; `total` counts them all. */
export function listRefundRequests(
  db: Db,
  { status, order, buyer, from, to }: RefundRequestFilter,
  page: { limit: number; offset: number },
): Promise<{ total: number; requests: RefundRequestRow[] }> {
  const values: unknown[] = [];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['true'];
  if (status !== undefined) conditions.push(`r.status = ${bind(status)}`);
  if (order !== undefined)
    conditions.push(
      isUuid(order)
        ? `r.order_id = ${bind(order)}`
        : `r.order_id = (SELECT o.id FROM orders o WHERE o.number = ${bind(order.toUpperCase())})`,
    );
  if (buyer !== undefined) conditions.push(ofUser('r.user_id', buyer, bind));
  if (from !== undefined) conditions.push(`r.created_at >= ${bind(from)}`);
  if (to !== undefined) conditions.push(until('r.created_at', bind(to)));
  return refundRequestPage(db, { where: conditions.join(' AND '), bind: values }, page);
}

/** The decision on a request, and what has become of its money. Amounts are in minor units. */
export type RefundProgress = Pick<
  Attributes<RefundRequest>,
  'shippingMinor' | 'restock' | 'decisionNote' | 'concludedAt'
> & {
  deciderEmail: string | null;
  /** The approved amount that has not reached the buyer yet. */
  outstandingMinor: number;
};

/** Reads how far a request has come; null when there is none. */
export function refundProgress(db: Db, id: string): Promise<RefundProgress | null> {
  return firstRow<RefundProgress>(
    db,
    `SELECT r.shipping_minor, r.restock, r.decision_note, r.concluded_at, d.email AS decider_email,
       (SELECT coalesce(sum(p.amount_minor), 0)::bigint FROM payment_refunds p
         WHERE p.refund_request_id = r.id AND p.status IN ('PROCESSING', 'ABANDONED')) AS outstanding_minor
     FROM refund_requests r LEFT JOIN users d ON d.id = r.decided_by WHERE r.id = $1`,
    [id],
  );
}

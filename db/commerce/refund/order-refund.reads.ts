import type {
  PaymentRefundStatus,
  RefundReason,
} from '../../../workflows/commerce/refund/payment-refund.states';
import type { RefundRequestStatus } from '../../../workflows/commerce/refund/refund-request.states';
import { isOf } from '../../ledger/reference-columns';

/** One refund of an order as its buyer sees it. Times are ISO 8601 with an offset. */
export interface OrderRefundRow {
  id: string;
  amountMinor: number;
  status: RefundRequestStatus;
  /** The words of the request; null for money that went back without one. */
  requestReason: string | null;
  /** True if an administrator began it; the words are then the administrator's. */
  byShop: boolean;
  /** Why money went back without a request; null for a request. */
  cause: RefundReason | null;
  createdAt: string;
  completedAt: string | null;
}

/** The refunds of an order. */
export interface OrderRefunds {
  /** The money that is back, also by parts of refunds that are not completed. */
  completedMinor: number;
  /** Newest first, at most `MOST_REFUNDS`. */
  newest: OrderRefundRow[];
}

/** The number of refunds that are listed with an order: rejected requests have no other limit. */
const MOST_REFUNDS = 100;

/** The status of a payment's refund in the words of requests: what was given up is owed, and still to be sent. */
const STATUS_OF = {
  PROCESSING: 'PROCESSING',
  ABANDONED: 'FAILED',
  CHARGED_BACK: 'COMPLETED',
  COMPLETED: 'COMPLETED',
} as const satisfies Record<PaymentRefundStatus, RefundRequestStatus>;

const STATUS = Object.entries(STATUS_OF)
  .map(([from, to]) => `WHEN '${from}' THEN '${to}'`)
  .join(' ');

/**
 * Each refund once: requests stand for the money that is sent for them; other money goes back through the company that
 * brought it, or to the buyer's balances at once, when a paid order is cancelled. A fragment over `o`.
 */
const EVERY = `SELECT q.id, coalesce(q.approved_minor, q.requested_minor) AS amount_minor, q.status,
           q.reason AS request_reason, q.by_shop, NULL AS cause, q.created_at,
           CASE WHEN q.status = 'COMPLETED' THEN q.concluded_at END AS completed_at
         FROM refund_requests q WHERE q.order_id = o.id
         UNION ALL SELECT p.id, p.amount_minor, CASE p.status ${STATUS} END, NULL, false, p.reason, p.created_at,
           CASE WHEN p.status IN ('COMPLETED', 'CHARGED_BACK') THEN p.completed_at END
         FROM payment_refunds p WHERE p.order_id = o.id AND p.refund_request_id IS NULL
         UNION ALL SELECT t.id, e.amount_minor, 'COMPLETED', NULL, false, 'CANCELLATION', t.created_at, t.created_at
         FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id AND e.user_id = o.user_id
         WHERE ${isOf('t', 'order-repayment')} AND t.subject_id = o.id::text`;

/**
 * The money of an order that has reached its buyer again: by the companies that brought it, by chargebacks in place of
 * refunds, and on the buyer's balances. A fragment over `o`.
 */
const BACK_MINOR = `(SELECT coalesce(sum(p.amount_minor), 0) FROM payment_refunds p
           WHERE p.order_id = o.id AND p.status IN ('COMPLETED', 'CHARGED_BACK'))
         + (SELECT coalesce(sum(e.amount_minor), 0)
           FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id AND e.user_id = o.user_id
           WHERE ${isOf('t', 'order-repayment', 'refund-repayment')} AND t.subject_id = ANY (o.id::text
             || ARRAY(SELECT q.id::text FROM refund_requests q WHERE q.order_id = o.id)))`;

/** The refunds of an order as JSON, in the shape of `OrderRefunds`. A fragment over `o`. */
export const REFUNDS = `(SELECT json_build_object(
           'completedMinor', ${BACK_MINOR},
           'newest', coalesce(json_agg(json_build_object('id', f.id, 'amountMinor', f.amount_minor, 'status', f.status,
             'requestReason', f.request_reason, 'byShop', f.by_shop, 'cause', f.cause, 'createdAt', f.created_at,
             'completedAt', f.completed_at) ORDER BY f.place) FILTER (WHERE f.place <= ${MOST_REFUNDS}), '[]'))
       FROM (SELECT *, row_number() OVER (ORDER BY created_at DESC, id DESC) AS place FROM (${EVERY}) AS every) AS f)`;

import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

/** Units and amounts of each line of an order in requests that were not turned down. */
const GIVEN_BACK = `SELECT p.order_item_id, sum(p.quantity) AS quantity, sum(p.goods_minor) AS goods,
    sum(p.tax_minor) AS tax, bool_and(i.order_id = r.order_id) AS of_its_order
  FROM refund_request_items p JOIN refund_requests r ON r.id = p.refund_request_id
  JOIN order_items i ON i.id = p.order_item_id
  WHERE r.status <> 'REJECTED' GROUP BY p.order_item_id`;

/** Refunds through providers by request: one refund, or the parts of one that a chargeback has paid in part. */
const SENT = `SELECT i.refund_request_id, sum(i.amount_minor) AS amount_minor, bool_and(i.order_id = q.order_id) AS of_its_order,
    bool_or(i.status = 'ABANDONED') AS given_up, bool_or(i.status = 'PROCESSING') AS on_its_way,
    bool_or(i.chargeback_id IS NOT NULL) AS charged_back, string_agg(i.status, ', ' ORDER BY i.status) AS states
  FROM payment_refunds i JOIN refund_requests q ON q.id = i.refund_request_id
  GROUP BY i.refund_request_id`;

/** Rules of refund requests: they are for goods of the order, are booked, and their money arrives. */
export const refundInvariants: readonly Invariant[] = [
  {
    id: 'refunds.are-of-what-was-sold',
    says: 'No more of a line is given back than was sold; and for all its units all that was paid, less amounts without units.',
    sql: `SELECT i.id AS entity, format('%s of %s units, goods %s of %s, tax %s of %s', g.quantity, i.quantity, g.goods,
        i.total_minor - i.discount_minor, g.tax, i.tax_minor) AS detail
      FROM (${GIVEN_BACK}) AS g JOIN order_items i ON i.id = g.order_item_id
      WHERE NOT g.of_its_order OR g.quantity > i.quantity
        OR g.goods > i.total_minor - i.discount_minor OR g.tax > i.tax_minor
        OR (g.quantity = i.quantity AND (g.goods <> i.total_minor - i.discount_minor OR g.tax <> i.tax_minor)
          AND NOT EXISTS (SELECT 1 FROM refund_requests a
            WHERE a.order_id = i.order_id AND a.amount_minor > 0 AND a.approved_minor IS NOT NULL))`,
  },
  {
    id: 'refunds.add-up',
    says: 'A request is for the cost of its units, an amount without units, and at most the shipping with its tax.',
    sql: `SELECT r.id AS entity, format('asks %s: units %s, shipping %s of %s', r.requested_minor, coalesce(p.minor, 0),
        r.shipping_minor, o.shipping_minor + o.tax_minor - i.tax) AS detail
      FROM refund_requests r JOIN orders o ON o.id = r.order_id
      LEFT JOIN (
        SELECT refund_request_id, sum(goods_minor + tax_minor) AS minor FROM refund_request_items GROUP BY refund_request_id
      ) AS p ON p.refund_request_id = r.id
      LEFT JOIN (SELECT order_id, sum(tax_minor) AS tax FROM order_items GROUP BY order_id) AS i ON i.order_id = o.id
      WHERE r.requested_minor <> coalesce(p.minor, 0) + r.amount_minor + r.shipping_minor OR r.user_id <> o.user_id
        OR r.currency <> o.currency OR (r.amount_minor > 0 AND p.minor IS NOT NULL)
        OR r.shipping_minor > o.shipping_minor + o.tax_minor - i.tax`,
  },
  {
    id: 'refunds.take-the-sale-back',
    says: 'An approved amount is taken back from sales, tax and shipping, from each no more than was requested and sold.',
    sql: `WITH booked AS (
        SELECT t.subject_id, sum(e.amount_minor) FILTER (WHERE e.account = 'refunds') AS owed,
          coalesce(-sum(e.amount_minor) FILTER (WHERE e.account = 'sales'), 0) AS goods,
          coalesce(-sum(e.amount_minor) FILTER (WHERE e.account = 'tax'), 0) AS tax,
          coalesce(-sum(e.amount_minor) FILTER (WHERE e.account = 'shipping'), 0) AS shipping
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
        WHERE ${isOf('t', 'refund')} GROUP BY t.id
      ), asked AS (
        SELECT refund_request_id, sum(goods_minor) AS goods, sum(tax_minor) AS tax FROM refund_request_items
        GROUP BY refund_request_id
      )
      SELECT r.id::text AS entity, format('%s, approved %s; booked %s: goods %s, tax %s, shipping %s', r.status,
        coalesce(r.approved_minor, 0), coalesce(b.owed, 0), b.goods, b.tax, b.shipping) AS detail
      FROM refund_requests r LEFT JOIN asked a ON a.refund_request_id = r.id
      LEFT JOIN booked b ON b.subject_id = r.id::text
      WHERE coalesce(b.owed, 0) <> coalesce(r.approved_minor, 0)
        OR b.goods <> r.goods_back_minor OR b.shipping <> r.shipping_back_minor
        OR b.tax <> r.goods_tax_back_minor + r.shipping_tax_back_minor
        OR (r.amount_minor = 0 AND (r.goods_back_minor > coalesce(a.goods, 0) OR r.goods_tax_back_minor > coalesce(a.tax, 0)
          OR r.shipping_back_minor + r.shipping_tax_back_minor > r.shipping_minor))
      UNION ALL
      SELECT o.id::text, format('goods %s of %s, shipping %s of %s, tax %s of %s', sum(r.goods_back_minor),
        o.subtotal_minor - o.discount_minor, sum(r.shipping_back_minor), o.shipping_minor,
        sum(r.goods_tax_back_minor + r.shipping_tax_back_minor), o.tax_minor)
      FROM refund_requests r JOIN orders o ON o.id = r.order_id GROUP BY o.id
      HAVING sum(r.goods_back_minor) > o.subtotal_minor - o.discount_minor OR sum(r.shipping_back_minor) > o.shipping_minor
        OR sum(r.goods_tax_back_minor + r.shipping_tax_back_minor) > o.tax_minor`,
  },
  {
    id: 'refunds.send-what-is-approved',
    says: 'An approved amount is back on balances or on its way through the provider, all of it and no more.',
    sql: `WITH repaid AS (
        SELECT t.subject_id AS id, sum(e.amount_minor) AS minor, min(e.user_id::text) AS user_id
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id AND e.user_id IS NOT NULL
        WHERE ${isOf('t', 'refund-repayment')} GROUP BY 1
      )
      SELECT r.id AS entity, format('%s, approved %s; on balances %s, by the provider %s', r.status,
        coalesce(r.approved_minor, 0), coalesce(own.minor, 0), coalesce(p.amount_minor, 0)) AS detail
      FROM refund_requests r LEFT JOIN repaid own ON own.id = r.id::text
      LEFT JOIN (${SENT}) AS p ON p.refund_request_id = r.id
      WHERE coalesce(own.minor, 0) + coalesce(p.amount_minor, 0) <> coalesce(r.approved_minor, 0)
        OR own.user_id <> r.user_id::text OR NOT p.of_its_order`,
  },
  {
    id: 'refunds.end-with-their-money',
    says: 'A request is completed when its money is, and failed when that was given up, or returned by a bank and sent again.',
    sql: `SELECT r.id AS entity, format('%s, its money is %s', r.status, coalesce(p.states, 'not with a provider')) AS detail
      FROM refund_requests r LEFT JOIN (${SENT}) AS p ON p.refund_request_id = r.id
      WHERE NOT CASE WHEN r.approved_minor IS NULL AND p.states IS NULL THEN r.status IN ('REJECTED', 'PENDING_REVIEW')
        WHEN p.given_up THEN r.status = 'FAILED'
        WHEN p.on_its_way THEN r.status = 'PROCESSING' OR (r.status = 'FAILED' AND p.charged_back)
        ELSE r.status = 'COMPLETED' END`,
  },
];

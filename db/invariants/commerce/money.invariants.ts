import { isOf } from '../../ledger/reference-columns';
import type { Invariant } from '../invariant';

/** Amounts that the buyer's own accounts paid into an order (positive) and got back (negative), by booking. */
const OWN_MONEY = `SELECT t.subject_id AS order_id, t.part AS account, t.kind, -sum(e.amount_minor) AS minor
  FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
  WHERE ${isOf('t', 'order-hold', 'order-release', 'order-repayment')} AND e.user_id IS NOT NULL
  GROUP BY 1, 2, 3`;

/** True if the booking `m` of own money took it from the buyer. */
const HELD = isOf('m', 'order-hold');

/** Amounts that refunds returned to the buyer's own accounts (negative), by order. */
const REPAID = `SELECT r.order_id::text, -sum(e.amount_minor) AS minor
  FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id AND e.user_id IS NOT NULL
  JOIN refund_requests r ON r.id::text = t.subject_id
  WHERE ${isOf('t', 'refund-repayment')} GROUP BY 1`;

/** The platform's side of an order's sale and of its cancellation. */
const SALES = `SELECT t.subject_id AS order_id, t.kind,
    abs(sum(e.amount_minor) FILTER (WHERE e.account IN ('payments', 'refunds') OR starts_with(e.account, 'clearing_'))) AS minor
  FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id
  WHERE ${isOf('t', 'order-payment', 'order-cancellation')}
  GROUP BY 1, 2`;

/** Rules of an order's money: complete when the order is paid, all returned when it is cancelled. */
export const moneyInvariants: readonly Invariant[] = [
  {
    id: 'money.pays-orders-in-full',
    says: 'The money received for a paid order is exactly its total.',
    sql: `SELECT o.id AS entity, format('total %s, from own balances %s, from providers %s', o.total_minor,
        coalesce(own.minor, 0), coalesce(captured.minor, 0)) AS detail
      FROM orders o
      LEFT JOIN (SELECT order_id, sum(minor) AS minor FROM (${OWN_MONEY}) AS m WHERE ${HELD} GROUP BY order_id) AS own
        ON own.order_id = o.id::text
      LEFT JOIN (
        SELECT order_id, sum(amount_minor) AS minor FROM payment_captures WHERE applied GROUP BY order_id
      ) AS captured ON captured.order_id = o.id
      WHERE o.paid_at IS NOT NULL AND o.total_minor <> coalesce(own.minor, 0) + coalesce(captured.minor, 0)`,
  },
  {
    id: 'money.of-partners-is-held',
    says: "An order's share from the partner balance was taken from that balance.",
    sql: `SELECT o.id AS entity, format('%s of the order, %s taken', o.partner_balance_minor, coalesce(m.minor, 0)) AS detail
      FROM orders o
      LEFT JOIN (${OWN_MONEY}) AS m ON m.order_id = o.id::text AND m.account = 'partner_available' AND ${HELD}
      WHERE o.partner_balance_minor <> coalesce(m.minor, 0)`,
  },
  {
    id: 'money.comes-back-to-balances',
    says: "A cancelled order has given back all that it took from the buyer's own balances.",
    sql: `SELECT o.id AS entity, 'keeps ' || sum(m.minor) AS detail
      FROM orders o
      JOIN (SELECT order_id, minor FROM (${OWN_MONEY}) AS own UNION ALL ${REPAID}) AS m ON m.order_id = o.id::text
      WHERE o.status = 'CANCELLED' GROUP BY o.id HAVING sum(m.minor) <> 0`,
  },
  {
    id: 'money.comes-back-from-providers',
    says: 'The money that a provider brought for a cancelled order is on its way back, except what a bank took back.',
    sql: `SELECT c.id AS entity, format('order %s keeps %s of %s', o.id,
        c.amount_minor - c.refunded_minor - c.charged_back_minor + c.refunds_charged_back_minor, c.amount_minor) AS detail
      FROM orders o JOIN payment_captures c ON c.order_id = o.id
      WHERE o.status = 'CANCELLED' AND c.applied
        AND c.refunded_minor + c.charged_back_minor - c.refunds_charged_back_minor < c.amount_minor`,
  },
  {
    id: 'money.counts-what-goes-back',
    says: 'The refunded amount of an order is the sum of its approved requests; the whole price when it is cancelled.',
    sql: `SELECT o.id AS entity, format('%s, counts %s of %s; approved %s', o.status, o.refunded_minor, o.total_minor,
        coalesce(r.minor, 0)) AS detail
      FROM orders o
      LEFT JOIN (SELECT order_id, sum(approved_minor) AS minor FROM refund_requests GROUP BY order_id) AS r
        ON r.order_id = o.id
      WHERE o.refunded_minor <> CASE WHEN o.status = 'CANCELLED' AND o.paid_at IS NOT NULL THEN o.total_minor
          ELSE coalesce(r.minor, 0) END`,
  },
  {
    id: 'money.goes-back-where-it-came-from',
    says: "A buyer's own balance gets back at most what it paid.",
    sql: `WITH brought AS (SELECT order_id, account, minor FROM (${OWN_MONEY}) AS m WHERE ${HELD}), back AS (
        SELECT r.order_id::text, e.account, sum(e.amount_minor) AS minor
        FROM ledger_transfers t JOIN ledger_entries e ON e.transfer_id = t.id AND e.user_id IS NOT NULL
        JOIN refund_requests r ON r.id::text = t.subject_id
        WHERE ${isOf('t', 'refund-repayment')} GROUP BY 1, 2
      )
      SELECT b.order_id AS entity, format('%s back to %s, of %s', b.minor, b.account, coalesce(brought.minor, 0)) AS detail
      FROM back b LEFT JOIN brought USING (order_id, account)
      WHERE b.minor > coalesce(brought.minor, 0)`,
  },
  {
    id: 'money.sales-are-booked',
    says: 'A sale is in the ledger when its order was paid, and taken back when that order was cancelled; only then.',
    sql: `WITH sales AS (${SALES})
      SELECT o.id AS entity, format('%s, %s; sold for %s, taken back %s', o.status,
        CASE WHEN o.paid_at IS NULL THEN 'never paid' ELSE 'paid ' || o.total_minor END,
        coalesce(sold.minor, 0), coalesce(returned.minor, 0)) AS detail
      FROM orders o
      LEFT JOIN (SELECT order_id, sum(approved_minor) AS minor FROM refund_requests GROUP BY order_id) AS approved
        ON approved.order_id = o.id
      LEFT JOIN sales sold ON sold.order_id = o.id::text AND ${isOf('sold', 'order-payment')}
      LEFT JOIN sales returned ON returned.order_id = o.id::text AND ${isOf('returned', 'order-cancellation')}
      WHERE coalesce(sold.minor, 0) <> CASE WHEN o.paid_at IS NULL THEN 0 ELSE o.total_minor END
        OR coalesce(returned.minor, 0) <>
          CASE WHEN o.paid_at IS NOT NULL AND o.status = 'CANCELLED' THEN o.total_minor - coalesce(approved.minor, 0)
            ELSE 0 END`,
  },
];

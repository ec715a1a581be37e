import { orderStates } from '../../../workflows/commerce/order/order.states';
import type { Invariant } from '../invariant';

const text = (value: string): string => `'${value}'`;

/** The table of states as SQL, so that it is spelled once. */
const MOVES = Object.entries(orderStates.moves)
  .flatMap(([from, targets]) => targets.map((to) => `(${text(from)}, ${text(to)})`))
  .join(', ');
/** States in the order of the table, later states last. Decides between changes of the same millisecond. */
const RANKS = Object.keys(orderStates.moves)
  .map((status, rank) => `(${text(status)}, ${rank})`)
  .join(', ');

/** Rules of an order's parts: they agree with each other and with its status. Its money is in money.invariants. */
export const orderInvariants: readonly Invariant[] = [
  {
    id: 'orders.add-up',
    says: "An order's total is goods − discount + shipping + tax, each the sum of its parts.",
    sql: `SELECT o.id AS entity, format('goods %s of %s, discount %s of %s by lines and %s by coupons, tax %s of %s, total %s',
        o.subtotal_minor, i.goods, o.discount_minor, i.discount, coalesce(k.discount, 0), o.tax_minor, i.tax,
        o.total_minor) AS detail
      FROM orders o
      LEFT JOIN (
        SELECT order_id, sum(total_minor) AS goods, sum(discount_minor) AS discount, sum(tax_minor) AS tax,
          bool_and(total_minor = unit_price_minor * quantity) AS lines_add_up
        FROM order_items GROUP BY order_id
      ) AS i ON i.order_id = o.id
      LEFT JOIN (
        SELECT order_id, sum(discount_minor) AS discount FROM order_coupons GROUP BY order_id
      ) AS k ON k.order_id = o.id
      WHERE i.goods IS DISTINCT FROM o.subtotal_minor OR NOT i.lines_add_up
        OR i.discount <> o.discount_minor OR coalesce(k.discount, 0) <> o.discount_minor
        OR i.tax > o.tax_minor OR (o.shipping_minor = 0 AND i.tax <> o.tax_minor)
        OR o.total_minor <> o.subtotal_minor - o.discount_minor + o.shipping_minor + o.tax_minor`,
  },
  {
    id: 'orders.follow-their-history',
    says: "An order's history begins with PENDING_PAYMENT, makes only allowed moves, in time, and ends where it is.",
    sql: `WITH moves (origin, target) AS (VALUES ${MOVES}), ranks (status, rank) AS (VALUES ${RANKS}),
      steps AS (
        SELECT h.order_id, h.status, h.changed_at, r.rank, lag(h.status) OVER (
            PARTITION BY h.order_id ORDER BY h.changed_at, r.rank) AS previous
        FROM order_status_changes h LEFT JOIN ranks r ON r.status = h.status
      ), judged AS (
        SELECT s.*, CASE WHEN previous IS NULL THEN status = 'PENDING_PAYMENT'
          ELSE EXISTS (SELECT 1 FROM moves m WHERE m.origin = s.previous AND m.target = s.status) END AS allowed
        FROM steps s
      )
      SELECT o.id AS entity, format('is %s, went %s', o.status,
        coalesce(string_agg(j.status, ' → ' ORDER BY j.changed_at, j.rank), 'nowhere')) AS detail
      FROM orders o LEFT JOIN judged j ON j.order_id = o.id
      GROUP BY o.id
      HAVING NOT coalesce(bool_and(j.allowed), false)
        OR (array_agg(j.status ORDER BY j.changed_at DESC, j.rank DESC))[1] IS DISTINCT FROM o.status`,
  },
  {
    id: 'orders.say-how-they-are-paid',
    says: 'The payment status of an order fits its status and whether it was ever paid.',
    sql: `SELECT id AS entity, format('%s %s, paid at %s', status, payment_status, coalesce(paid_at::text, 'no time')) AS detail
      FROM orders
      WHERE NOT CASE status
        WHEN 'PENDING_PAYMENT' THEN payment_status IN ('PENDING', 'FAILED') AND paid_at IS NULL
        WHEN 'CANCELLED' THEN payment_status IN ('REFUNDED', CASE WHEN paid_at IS NULL THEN 'FAILED' ELSE 'PAID' END)
        WHEN 'REFUNDED' THEN payment_status = 'REFUNDED' AND paid_at IS NOT NULL
        ELSE payment_status = 'PAID' AND paid_at IS NOT NULL END`,
  },
  {
    // A chargeback that had paid a refund, or the refund itself, may come back: the order stays REFUNDED while that is sent again.
    id: 'orders.are-refunded-when-all-is-back',
    says: 'An order is REFUNDED when, and only when, all of its price has gone back by refunds that are or were completed.',
    sql: `SELECT o.id AS entity, format('%s; %s of %s is back, %s requests are not completed', o.status, coalesce(r.minor, 0),
        o.total_minor, coalesce(r.undone, 0)) AS detail
      FROM orders o
      LEFT JOIN (
        SELECT q.order_id, sum(q.approved_minor) FILTER (WHERE q.status = 'COMPLETED') AS minor,
          sum(q.approved_minor) FILTER (WHERE p.owed_again) AS again,
          count(*) FILTER (WHERE q.status IN ('PROCESSING', 'FAILED') AND p.owed_again IS NULL) AS undone
        FROM refund_requests q LEFT JOIN (
          SELECT DISTINCT refund_request_id, true AS owed_again FROM payment_refunds
          WHERE num_nonnulls(chargeback_id, returned_reference) > 0 AND status IN ('PROCESSING', 'ABANDONED')
        ) AS p ON p.refund_request_id = q.id
        GROUP BY q.order_id
      ) AS r ON r.order_id = o.id
      WHERE o.status <> 'CANCELLED' AND CASE WHEN o.status = 'REFUNDED'
        THEN coalesce(r.minor, 0) + coalesce(r.again, 0) <> o.total_minor OR r.undone > 0
        ELSE coalesce(r.minor, 0) = o.total_minor AND r.minor > 0 END`,
  },
  {
    id: 'orders.are-paid-while-money-is-owed',
    says: 'A cancelled order whose money comes back is REFUNDED when, and only when, none of it is on its way or owed.',
    sql: `SELECT o.id AS entity, format('%s %s; %s refunds are completed, %s are not', o.status, o.payment_status, r.done, r.undone)
        AS detail
      FROM orders o CROSS JOIN LATERAL (
        SELECT count(*) FILTER (WHERE status IN ('COMPLETED', 'CHARGED_BACK')) AS done,
          count(*) FILTER (WHERE status IN ('PROCESSING', 'ABANDONED')) AS undone
        FROM payment_refunds WHERE order_id = o.id) AS r
      WHERE o.status = 'CANCELLED' AND (o.paid_at IS NOT NULL OR r.done + r.undone > 0)
        AND (o.payment_status = 'REFUNDED') <> (r.undone = 0)`,
  },
  {
    // Messages are deleted after a while, so only orders paid within the shortest retention must have one.
    id: 'orders.tell-their-buyer',
    says: 'A buyer is sent one mail for every order that was paid.',
    sql: `SELECT o.id AS entity, m.messages || ' messages' AS detail
      FROM orders o CROSS JOIN LATERAL (
        SELECT count(*) AS messages FROM outbox_messages WHERE reference = 'order:' || o.id || ':paid') AS m
      WHERE (o.paid_at IS NULL AND m.messages > 0)
        OR (o.paid_at > (SELECT overdue FROM clock) - interval '20 hours' AND m.messages = 0)`,
  },
  {
    // Twenty minutes beyond the patience: by then a silent provider has been asked ten times, or a person has.
    id: 'orders.wait-no-longer-than-they-may',
    says: 'An order whose payment window has passed is cancelled, or an operator sees why not.',
    sql: `SELECT id AS entity, 'was to be paid by ' || payment_expires_at AS detail
      FROM orders
      WHERE status = 'PENDING_PAYMENT'
        AND payment_expires_at < (SELECT overdue FROM clock) - interval '20 minutes'
        AND NOT EXISTS (SELECT 1 FROM parked_processes WHERE workflow_id = 'checkout:' || orders.id)`,
  },
];

import type { Invariant } from '../invariant';

/** Rules of stock: goods are never created or lost; they are available, reserved, or sold. */
export const stockInvariants: readonly Invariant[] = [
  {
    id: 'stock.not-negative',
    says: 'The available and the reserved quantity of a stock item are never negative.',
    sql: `SELECT id AS entity, format('%s available, %s reserved', available, reserved) AS detail
      FROM stock_items WHERE available < 0 OR reserved < 0`,
  },
  {
    id: 'stock.is-sum-of-movements',
    says: 'Stock is the sum of its movements, the first of which brought it in.',
    sql: `SELECT s.id AS entity, format('%s available and %s reserved, the movements make %s and %s',
        s.available, s.reserved, coalesce(m.available, 0), coalesce(m.reserved, 0)) AS detail
      FROM stock_items s
      LEFT JOIN (
        SELECT stock_item_id, sum(available_delta) AS available, sum(reserved_delta) AS reserved
        FROM stock_movements GROUP BY stock_item_id
      ) AS m ON m.stock_item_id = s.id
      WHERE s.available <> coalesce(m.available, 0) OR s.reserved <> coalesce(m.reserved, 0)`,
  },
  {
    id: 'stock.movements-do-what-they-say',
    says: 'A movement changes the available and the reserved quantity as its kind requires.',
    sql: `SELECT id AS entity,
        format('%s %s of %s: available %s, reserved %s', reference, kind, stock_item_id, available_delta, reserved_delta) AS detail
      FROM stock_movements
      WHERE NOT CASE kind
        WHEN 'RESERVE' THEN available_delta < 0 AND reserved_delta = -available_delta
        WHEN 'RELEASE' THEN available_delta > 0 AND reserved_delta = -available_delta
        WHEN 'SELL' THEN available_delta = 0 AND reserved_delta < 0
        WHEN 'RESTOCK' THEN available_delta > 0 AND reserved_delta = 0
        WHEN 'INITIAL' THEN available_delta >= 0 AND reserved_delta = 0
        ELSE reserved_delta = 0 END`,
  },
  {
    id: 'stock.is-set-aside-for-orders',
    says: 'The reserved quantity is that of orders that wait for payment.',
    sql: `SELECT s.id AS entity, format('%s reserved, orders hold %s', s.reserved, coalesce(held.quantity, 0)) AS detail
      FROM stock_items s
      LEFT JOIN (
        SELECT i.stock_item_id, sum(i.quantity) AS quantity FROM order_items i JOIN orders o ON o.id = i.order_id
        WHERE o.status = 'PENDING_PAYMENT' GROUP BY i.stock_item_id
      ) AS held ON held.stock_item_id = s.id
      WHERE s.reserved <> coalesce(held.quantity, 0)`,
  },
  {
    id: 'stock.orders-move-their-goods',
    says: 'An order has taken its quantity from each of its stock items; a cancelled one has returned all of it.',
    sql: `WITH wanted AS (
        SELECT i.order_id, i.stock_item_id, o.status,
          CASE WHEN o.status = 'CANCELLED' THEN 0 ELSE sum(i.quantity) END AS quantity
        FROM order_items i JOIN orders o ON o.id = i.order_id
        WHERE i.stock_item_id IS NOT NULL
        GROUP BY i.order_id, i.stock_item_id, o.status
      ), taken AS (
        SELECT split_part(reference, ':', 2) AS order_id, stock_item_id, -sum(available_delta) AS quantity
        FROM stock_movements WHERE reference LIKE 'order:%' GROUP BY 1, 2
      )
      SELECT w.order_id::text AS entity, format('%s, took %s of %s instead of %s',
        w.status, coalesce(t.quantity, 0), w.stock_item_id, w.quantity) AS detail
      FROM wanted w LEFT JOIN taken t ON t.order_id = w.order_id::text AND t.stock_item_id = w.stock_item_id
      WHERE coalesce(t.quantity, 0) <> w.quantity
      UNION ALL
      SELECT t.order_id, format('took %s of %s, which is not among its goods', t.quantity, t.stock_item_id)
      FROM taken t
      WHERE NOT EXISTS (SELECT 1 FROM order_items i
        WHERE i.order_id::text = t.order_id AND i.stock_item_id = t.stock_item_id)`,
  },
  {
    id: 'stock.sales-are-counted',
    says: 'The units of a product counted as sold on a day are those paid for on that day and not returned.',
    sql: `WITH sold AS (
        SELECT i.product_id, (o.paid_at AT TIME ZONE 'UTC')::date AS day,
          sum(CASE WHEN o.status = 'CANCELLED' THEN 0 ELSE i.quantity - coalesce(back.quantity, 0) END) AS units
        FROM orders o JOIN order_items i ON i.order_id = o.id
        LEFT JOIN (
          SELECT p.order_item_id, sum(p.quantity) AS quantity
          FROM refund_request_items p JOIN refund_requests r ON r.id = p.refund_request_id
          WHERE r.approved_minor IS NOT NULL GROUP BY 1
        ) AS back ON back.order_item_id = i.id
        WHERE o.paid_at IS NOT NULL GROUP BY 1, 2
      )
      SELECT concat_ws(' ', product_id, day) AS entity,
        format('counted %s, sold %s', coalesce(c.units, 0), coalesce(sold.units, 0)) AS detail
      FROM product_daily_sales c FULL JOIN sold USING (product_id, day)
      WHERE coalesce(c.units, 0) <> coalesce(sold.units, 0)`,
  },
  {
    id: 'stock.returns-are-on-the-shelf',
    says: 'A refund returns its units to each stock item if an administrator decided so; else none.',
    sql: `WITH wanted AS (
        SELECT p.refund_request_id::text AS id, i.stock_item_id, sum(p.quantity) AS quantity
        FROM refund_request_items p JOIN refund_requests r ON r.id = p.refund_request_id
        JOIN order_items i ON i.id = p.order_item_id
        WHERE r.restock AND r.approved_minor IS NOT NULL AND i.stock_item_id IS NOT NULL GROUP BY 1, 2
      ), brought AS (
        SELECT split_part(reference, ':', 2) AS id, stock_item_id, sum(available_delta) AS quantity
        FROM stock_movements WHERE reference LIKE 'refund:%' GROUP BY 1, 2
      )
      SELECT id AS entity, format('brought %s of %s instead of %s', coalesce(b.quantity, 0), stock_item_id,
        coalesce(w.quantity, 0)) AS detail
      FROM wanted w FULL JOIN brought b USING (id, stock_item_id)
      WHERE coalesce(w.quantity, 0) <> coalesce(b.quantity, 0)`,
  },
];

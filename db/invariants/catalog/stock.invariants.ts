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
        format('%s by %s of %s: available %s, reserved %s', kind, coalesce('order ' || order_id, 'a count'), stock_item_id,
          available_delta, reserved_delta) AS detail
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
    says: 'An order has taken its quantity from each of its stock items, less its restocked units, by its own movements and by refunds.',
    sql: `WITH wanted AS (
        SELECT order_id, stock_item_id, sum(quantity - restocked_quantity) AS quantity
        FROM order_items WHERE stock_item_id IS NOT NULL GROUP BY 1, 2
      ), taken AS (
        SELECT order_id, stock_item_id, -sum(available_delta) AS quantity
        FROM stock_movements WHERE order_id IS NOT NULL GROUP BY 1, 2
      )
      SELECT order_id AS entity, format('took %s of %s instead of %s', coalesce(t.quantity, 0), stock_item_id,
        coalesce(w.quantity::text, 'nothing: it is not among its goods')) AS detail
      FROM wanted w FULL JOIN taken t USING (order_id, stock_item_id)
      WHERE coalesce(t.quantity, 0) <> coalesce(w.quantity, 0)`,
  },
  {
    id: 'stock.units-come-back-once',
    says: 'Refunded and restocked units of a line are those of its approved requests; all, once its order is cancelled or wholly refunded before it has left.',
    sql: `WITH back AS (
        SELECT p.order_item_id, sum(p.quantity) AS refunded, coalesce(sum(p.quantity) FILTER (WHERE r.restock), 0) AS restocked
        FROM refund_request_items p JOIN refund_requests r ON r.id = p.refund_request_id
        WHERE r.approved_minor IS NOT NULL GROUP BY 1
      ), wanted AS (
        SELECT i.id, i.quantity, i.refunded_quantity, i.restocked_quantity, b.refunded, b.restocked,
          o.paid_at IS NOT NULL AS is_paid, o.status = 'CANCELLED' AS is_cancelled,
          o.total_minor > 0 AND o.refunded_minor = o.total_minor AND NOT EXISTS (
            SELECT 1 FROM order_status_changes h WHERE h.order_id = o.id AND h.status = 'SHIPPED') AS is_all_back
        FROM order_items i JOIN orders o ON o.id = i.order_id LEFT JOIN back b ON b.order_item_id = i.id
      )
      SELECT id AS entity, format('%s units: %s refunded, %s restocked; requests %s and %s', quantity, refunded_quantity,
        restocked_quantity, coalesce(refunded, 0), coalesce(restocked, 0)) AS detail
      FROM wanted
      WHERE refunded_quantity <> CASE WHEN is_paid AND (is_cancelled OR is_all_back) THEN quantity ELSE coalesce(refunded, 0) END
        OR restocked_quantity <> CASE WHEN is_cancelled OR is_all_back THEN quantity ELSE coalesce(restocked, 0) END`,
  },
  {
    id: 'stock.sales-are-counted',
    says: 'The units of a product counted as sold on a day are those paid for on that day and not refunded.',
    sql: `WITH sold AS (
        SELECT i.product_id, (o.paid_at AT TIME ZONE 'UTC')::date AS day, sum(i.quantity - i.refunded_quantity) AS units
        FROM orders o JOIN order_items i ON i.order_id = o.id
        WHERE o.paid_at IS NOT NULL GROUP BY 1, 2
      )
      SELECT concat_ws(' ', product_id, day) AS entity,
        format('counted %s, sold %s', coalesce(c.units, 0), coalesce(sold.units, 0)) AS detail
      FROM product_daily_sales c FULL JOIN sold USING (product_id, day)
      WHERE coalesce(c.units, 0) <> coalesce(sold.units, 0)`,
  },
];

import { v7 } from 'uuid';
import { execute } from '../../../../../db/sql/query';
import { change, find, forgetMovements, type Proof } from '../../proof';

const itemOf = `SELECT stock_item_id AS found FROM order_items WHERE order_id = $1`;
const movement = `INSERT INTO stock_movements
  (id, stock_item_id, kind, available_delta, reserved_delta, order_id, created_at)`;

export const stockProofs: readonly Proof[] = [
  {
    invariant: 'stock.not-negative',
    how: 'one sold too many',
    async breaks(tx, { orders }) {
      const item = await find(tx, itemOf, [orders.paid]);
      await execute(tx, 'ALTER TABLE stock_items DROP CONSTRAINT stock_items_available_check');
      await change(
        tx,
        `${movement} SELECT $2, id, 'ADJUST', -available - 1, 0, NULL, now() FROM stock_items WHERE id = $1`,
        [item, v7()],
      );
      await change(tx, `UPDATE stock_items SET available = -1 WHERE id = $1`, [item]);
      return item;
    },
  },
  {
    invariant: 'stock.is-sum-of-movements',
    how: 'stock that came from nowhere',
    async breaks(tx, { orders }) {
      const item = await find(tx, itemOf, [orders.paid]);
      await change(tx, `UPDATE stock_items SET available = available + 1 WHERE id = $1`, [item]);
      return item;
    },
  },
  {
    invariant: 'stock.movements-do-what-they-say',
    how: 'a sale that takes from the shelf',
    async breaks(tx, { orders }) {
      const id = await find(tx, `SELECT id AS found FROM stock_movements WHERE order_id = $1`, [
        orders.unpaid,
      ]);
      await change(tx, `UPDATE stock_movements SET kind = 'SELL' WHERE id = $1`, [id]);
      return id;
    },
  },
  {
    invariant: 'stock.is-set-aside-for-orders',
    how: 'goods set aside for nobody',
    async breaks(tx, { orders }) {
      const item = await find(tx, itemOf, [orders.paid]);
      const nobodys = v7();
      await change(tx, `${movement} VALUES ($2, $1, 'RESERVE', -1, 1, $3, now())`, [item, v7(), nobodys]);
      await change(tx, `${movement} VALUES ($2, $1, 'RESTOCK', 1, 0, $3, now())`, [item, v7(), nobodys]);
      await change(tx, `UPDATE stock_items SET reserved = reserved + 1 WHERE id = $1`, [item]);
      return item;
    },
  },
  {
    invariant: 'stock.sales-are-counted',
    how: 'a sale that is not counted on its day',
    async breaks(tx, { orders }) {
      const product = await find(tx, `SELECT product_id AS found FROM order_items WHERE order_id = $1`, [
        orders.paid,
      ]);
      const counted = `FROM product_daily_sales WHERE product_id = $1`;
      const day = await find(tx, `SELECT day::text AS found ${counted}`, [product]);
      await change(tx, `DELETE ${counted}`, [product]);
      return `${product} ${day}`;
    },
  },
  {
    invariant: 'stock.orders-move-their-goods',
    how: 'an order that took nothing',
    async breaks(tx, { orders }) {
      await forgetMovements(tx, 'order_id', orders.paid);
      return orders.paid;
    },
  },
  {
    invariant: 'stock.orders-move-their-goods',
    how: 'an order that returned what it is not of',
    async breaks(tx, { orders }) {
      const item = await find(tx, itemOf, [orders.byBalance]);
      await change(tx, `${movement} VALUES ($2, $1, 'RESTOCK', 1, 0, $3, now())`, [item, v7(), orders.paid]);
      await change(tx, `UPDATE stock_items SET available = available + 1 WHERE id = $1`, [item]);
      return orders.paid;
    },
  },
];

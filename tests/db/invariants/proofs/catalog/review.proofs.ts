import { v7 } from 'uuid';
import { change, find, type Proof } from '../../proof';

/** A review that waits, by the buyer of the paid order, which somebody is said to have found helpful. */
const waiting = `INSERT INTO reviews (id, product_id, user_id, rating, content, status, helpful_count, created_at)
  SELECT $2, i.product_id, o.user_id, 1, 'It broke on the second day.', 'PENDING', $3, now()
  FROM orders o JOIN order_items i ON i.order_id = o.id WHERE o.id = $1`;

export const reviewProofs: readonly Proof[] = [
  {
    invariant: 'review.ratings-count-what-is-published',
    how: 'five stars out of nowhere',
    async breaks(tx, { orders }) {
      const product = await find(tx, 'SELECT product_id AS found FROM order_items WHERE order_id = $1', [
        orders.paid,
      ]);
      await change(tx, 'UPDATE products SET ratings[5] = ratings[5] + 1 WHERE id = $1', [product]);
      return product;
    },
  },
  {
    invariant: 'review.ratings-count-what-is-published',
    how: 'a review that nobody counted',
    async breaks(tx, { orders }) {
      const id = v7();
      await change(tx, waiting, [orders.paid, id, 0]);
      await change(tx, `UPDATE reviews SET status = 'PUBLISHED' WHERE id = $1`, [id]);
      return find(tx, 'SELECT product_id AS found FROM reviews WHERE id = $1', [id]);
    },
  },
  {
    invariant: 'review.helpful-counts-votes',
    how: 'helpful to nobody',
    async breaks(tx, { orders }) {
      const id = v7();
      await change(tx, waiting, [orders.paid, id, 1]);
      return id;
    },
  },
  {
    invariant: 'review.helpful-counts-votes',
    how: 'helpful to its author',
    async breaks(tx, { orders }) {
      const id = v7();
      await change(tx, waiting, [orders.paid, id, 1]);
      await change(tx, 'INSERT INTO review_votes SELECT id, user_id, now() FROM reviews WHERE id = $1', [id]);
      return id;
    },
  },
];

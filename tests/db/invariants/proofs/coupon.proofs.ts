import { execute, type Tx } from '../../../../db/sql/query';
import { change, find, type Proof } from '../proof';

const buyerOf = (tx: Tx, orderId: string): Promise<string> =>
  find(tx, `SELECT user_id AS found FROM orders WHERE id = $1`, [orderId]);

export const couponProofs: readonly Proof[] = [
  {
    invariant: 'coupons.uses-are-counted',
    how: 'a use that no order had',
    async breaks(tx, { couponCode }) {
      await change(tx, `UPDATE coupons SET used_count = used_count + 1 WHERE code = $1`, [couponCode]);
      return couponCode;
    },
  },
  {
    invariant: 'coupons.uses-are-counted-per-buyer',
    how: "a use that none of the buyer's orders had",
    async breaks(tx, { couponCode, orders }) {
      const user = await buyerOf(tx, orders.paid);
      await change(tx, `UPDATE coupon_uses SET uses = uses + 1 WHERE user_id = $1`, [user]);
      return `${couponCode} ${user}`;
    },
  },
  {
    invariant: 'coupons.stay-within-their-limits',
    how: 'one use too many',
    async breaks(tx, { couponCode }) {
      await execute(tx, 'ALTER TABLE coupons DROP CONSTRAINT coupons_used_count_check');
      await change(tx, `UPDATE coupons SET usage_limit = used_count - 1 WHERE code = $1`, [couponCode]);
      return couponCode;
    },
  },
  {
    invariant: 'coupons.stay-within-their-limits',
    how: 'one use too many by one buyer',
    async breaks(tx, { couponCode, orders }) {
      const [ada, bob] = [await buyerOf(tx, orders.paid), await buyerOf(tx, orders.unpaid)];
      await change(tx, `UPDATE orders SET user_id = $1 WHERE user_id = $2`, [ada, bob]);
      await change(
        tx,
        `UPDATE coupon_uses SET uses = CASE user_id WHEN $1 THEN 2 ELSE 0 END
        WHERE user_id IN ($1, $2)`,
        [ada, bob],
      );
      await change(tx, `UPDATE coupons SET per_user_limit = 1 WHERE code = $1`, [couponCode]);
      return `${couponCode} ${ada}`;
    },
  },
  {
    invariant: 'coupons.come-back-from-unpaid-orders',
    how: 'a coupon that a cancelled order kept',
    async breaks(tx, { couponCode, orders }) {
      await change(tx, `UPDATE order_coupons SET returned_at = NULL WHERE order_id = $1`, [orders.givenUp]);
      await change(tx, `UPDATE coupons SET used_count = used_count + 1 WHERE code = $1`, [couponCode]);
      await change(tx, `UPDATE coupon_uses SET uses = uses + 1 WHERE user_id = $1`, [
        await buyerOf(tx, orders.givenUp),
      ]);
      return `${orders.givenUp} ${couponCode}`;
    },
  },
];

import type { Invariant } from '../invariant';

/** Rules of coupons: uses are counted and stay within the limits. */
export const couponInvariants: readonly Invariant[] = [
  {
    id: 'coupons.uses-are-counted',
    says: "A coupon's counter is the number of orders that use it.",
    sql: `SELECT c.code AS entity, format('counted %s times, used by %s orders', c.used_count, count(k.order_id)) AS detail
      FROM coupons c LEFT JOIN order_coupons k ON k.coupon_id = c.id AND k.returned_at IS NULL
      GROUP BY c.id HAVING c.used_count <> count(k.order_id)`,
  },
  {
    id: 'coupons.uses-are-counted-per-buyer',
    says: "A buyer's counter of a coupon is the number of their orders that use it.",
    sql: `SELECT concat_ws(' ', c.code, user_id) AS entity,
        format('counted %s times, used by %s orders', coalesce(u.uses, 0), coalesce(k.orders, 0)) AS detail
      FROM coupon_uses u
      FULL JOIN (
        SELECT k.coupon_id, o.user_id, count(*) AS orders FROM order_coupons k JOIN orders o ON o.id = k.order_id
        WHERE k.returned_at IS NULL GROUP BY k.coupon_id, o.user_id
      ) AS k USING (coupon_id, user_id)
      JOIN coupons c ON c.id = coupon_id
      WHERE coalesce(u.uses, 0) <> coalesce(k.orders, 0)`,
  },
  {
    // Uses from before the coupon was last changed don't count: a limit may have been lowered below them.
    id: 'coupons.stay-within-their-limits',
    says: 'A coupon is used no more often than its limits allow, in all and by one buyer.',
    sql: `SELECT code AS entity, format('used %s times of %s', used_count, usage_limit) AS detail
      FROM coupons WHERE used_count > usage_limit
      UNION ALL
      SELECT concat_ws(' ', c.code, o.user_id), format('used %s times of %s', count(*), c.per_user_limit)
      FROM coupons c JOIN order_coupons k ON k.coupon_id = c.id AND k.returned_at IS NULL
        JOIN orders o ON o.id = k.order_id AND o.created_at >= c.updated_at
      GROUP BY c.id, o.user_id HAVING count(*) > c.per_user_limit`,
  },
  {
    id: 'coupons.come-back-from-unpaid-orders',
    says: 'An order that was cancelled unpaid has returned its coupons, and no other order has.',
    sql: `SELECT concat_ws(' ', o.id, k.code) AS entity,
        format('%s, the coupon is %s', o.status, CASE WHEN k.returned_at IS NULL THEN 'kept' ELSE 'returned' END) AS detail
      FROM order_coupons k JOIN orders o ON o.id = k.order_id
      WHERE (k.returned_at IS NOT NULL) <> (o.status = 'CANCELLED' AND o.paid_at IS NULL)`,
  },
];

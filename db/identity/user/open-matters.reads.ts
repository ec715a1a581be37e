import { rows, type Db } from '../../sql/query';

/**
 * The reasons why a user cannot be erased at `at`, in words for that user: money and open orders. Empty if there is
 * none. `returnWindowDays`: orders delivered within so many days before `at` count too, since they may be returned; null:
 * they do not count.
 */
export async function openMatters(
  db: Db,
  userId: string,
  { at, returnWindowDays }: { at: Date; returnWindowDays: number | null },
): Promise<string[]> {
  const found = await rows<{ matter: string }>(
    db,
    `SELECT format('holds money in %s', string_agg(DISTINCT currency, ', ')) AS matter
       FROM ledger_balances WHERE user_id = $1 AND balance_minor <> 0 HAVING count(*) > 0
     UNION ALL
     SELECT format('order %s is %s', number, status) FROM orders
      WHERE user_id = $1 AND status IN ('PENDING_PAYMENT', 'PAID', 'PROCESSING', 'SHIPPED')
     UNION ALL
     SELECT format('money for order %s is %s', o.number,
         CASE WHEN r.status = 'PROCESSING' THEN 'on its way back' ELSE 'owed' END)
       FROM payment_refunds r JOIN orders o ON o.id = r.order_id
      WHERE o.user_id = $1 AND r.status IN ('PROCESSING', 'ABANDONED')
     UNION ALL
     SELECT format('a refund is requested for order %s', o.number)
       FROM refund_requests r JOIN orders o ON o.id = r.order_id
      WHERE r.user_id = $1 AND r.status IN ('PENDING_REVIEW', 'APPROVED', 'PROCESSING')
     UNION ALL
     SELECT format('order %s may still be returned', o.number) FROM orders o
      WHERE $3::int IS NOT NULL AND o.user_id = $1 AND o.status = 'DELIVERED'
        AND EXISTS (SELECT 1 FROM order_status_changes c
                     WHERE c.order_id = o.id AND c.status = 'DELIVERED'
                       AND c.changed_at > $2::timestamptz - make_interval(days => $3))
     LIMIT 20`,
    [userId, at, returnWindowDays],
  );
  return found.map(({ matter }) => matter);
}

import { PAYABLE_IDS } from '../../../workflows/commerce/payable/payable.rules';
import { payablesAs } from '../../commerce/payment/payable';
import { literals, rows, type Db } from '../../sql/query';
import { OPEN_REFUND_REQUESTS } from '../../../workflows/commerce/refund/refund-request.states';
import { OPEN_PAYOUTS } from '../../../workflows/commerce/payout/payout.states';

/** Money that goes back to user `$1`, whatever it was paid for. */
const OWED = PAYABLE_IDS.map((id) => {
  const { noun, table, column } = payablesAs(id);
  return `SELECT format('money for ${noun} %s is %s', p.number,
         CASE WHEN r.status = 'PROCESSING' THEN 'on its way back' ELSE 'owed' END)
       FROM payment_refunds r JOIN ${table} p ON p.id = r.${column}
      WHERE p.user_id = $1 AND r.status IN ('PROCESSING', 'ABANDONED')`;
}).join(`
     UNION ALL
     `);

/**
 * The reasons why a user cannot be erased at `at`, in words for that user: money, open orders and investments. Empty if there is
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
     ${OWED}
     UNION ALL
     SELECT format('participation %s is %s', number, status) FROM participations
      WHERE user_id = $1 AND status IN ('PENDING_PAYMENT', 'ACTIVE')
     UNION ALL
     SELECT format('the money of participation %s is on its way', i.number)
       FROM investment_withdrawals w JOIN participations i ON i.id = w.participation_id
      WHERE w.user_id = $1 AND w.status = 'PROCESSING'
     UNION ALL
     SELECT format('a %s is %s', CASE kind WHEN 'PARTNER' THEN 'payout' ELSE 'withdrawal from the wallet' END, status)
       FROM payouts WHERE user_id = $1 AND status IN (${literals(OPEN_PAYOUTS)})
     UNION ALL
     SELECT format('the entrance fee %s is %s', number, status) FROM partner_entrances
      WHERE user_id = $1 AND status = 'PENDING_PAYMENT'
     UNION ALL
     SELECT format('the top-up %s is %s', number, status) FROM top_ups
      WHERE user_id = $1 AND status = 'PENDING_PAYMENT'
     UNION ALL
     SELECT format('the payment of top-up %s is disputed', w.number)
       FROM chargebacks b JOIN top_ups w ON w.id = b.top_up_id
      WHERE w.user_id = $1 AND b.status = 'TAKEN'
     UNION ALL
     SELECT format('the share of the leadership pool of %s is not paid yet', r.period)
       FROM partners p JOIN pool_shares s ON s.partner_id = p.id JOIN pool_runs r ON r.id = s.run_id
      WHERE p.user_id = $1 AND s.paid_at IS NULL AND s.amount_minor > 0
     UNION ALL
     SELECT format('a refund is requested for order %s', o.number)
       FROM refund_requests r JOIN orders o ON o.id = r.order_id
      WHERE r.user_id = $1 AND r.status IN (${literals(OPEN_REFUND_REQUESTS)})
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

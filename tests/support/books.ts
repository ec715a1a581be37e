import { rows, type Db } from '../../db/sql';

/**
 * What must hold whatever happened: every transfer sums to zero, every balance is the sum of its entries, stock is
 * never lost, money is applied to an order once. Answers what is broken, in words; nothing when all is well.
 */
export async function brokenBooks(db: Db): Promise<string[]> {
  const found = await rows<{ broken: string }>(
    db,
    `SELECT 'unbalanced transfer ' || transfer_id AS broken FROM ledger_entries
       GROUP BY transfer_id, currency HAVING sum(amount_minor) <> 0
     UNION ALL
     SELECT 'balance of ' || b.user_id || ' ' || b.account FROM ledger_balances b
       WHERE b.balance_minor <> (SELECT coalesce(sum(e.amount_minor), 0) FROM ledger_entries e
         WHERE e.user_id = b.user_id AND e.account = b.account AND e.currency = b.currency)
     UNION ALL
     SELECT 'stock of ' || s.id FROM stock_items s
       JOIN (SELECT stock_item_id, sum(available_delta) AS available, sum(reserved_delta) AS reserved
             FROM stock_movements GROUP BY stock_item_id) m ON m.stock_item_id = s.id
       WHERE s.available <> m.available OR s.reserved <> m.reserved
     UNION ALL
     SELECT 'reservations of ' || s.id FROM stock_items s
       WHERE s.reserved <> (SELECT coalesce(sum(i.quantity), 0) FROM order_items i JOIN orders o ON o.id = i.order_id
         WHERE i.stock_item_id = s.id AND o.status = 'PENDING_PAYMENT')
     UNION ALL
     SELECT 'uses of coupon ' || c.code FROM coupons c
       WHERE c.used_count <> (SELECT count(*) FROM order_coupons k WHERE k.coupon_id = c.id AND k.returned_at IS NULL)
     UNION ALL
     SELECT 'paid order without its money ' || o.number FROM orders o
       WHERE o.status IN ('PAID', 'PROCESSING') AND o.total_minor <> o.partner_balance_minor
         + coalesce((SELECT sum(c.amount_minor) FROM payment_captures c WHERE c.order_id = o.id AND c.applied), 0)
         + coalesce((SELECT -sum(e.amount_minor) FROM ledger_entries e JOIN ledger_transfers t ON t.id = e.transfer_id
             WHERE t.reference = 'order:' || o.id || ':wallet' AND e.account = 'wallet'), 0)
     UNION ALL
     SELECT 'money kept for cancelled order ' || o.number FROM orders o
       JOIN payment_captures c ON c.order_id = o.id
       WHERE o.status = 'CANCELLED' AND c.refunded_minor <> c.amount_minor`,
  );
  return found.map(({ broken }) => broken);
}

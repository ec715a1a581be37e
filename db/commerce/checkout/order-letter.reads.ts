import type { OrderedLetterData } from '../../../workflows/commerce/order/ordered.letters';
import { firstRow, type Db } from '../../sql/query';

/** What mails about a whole order show, and the address they go to; null when the buyer's account is erased. */
export const orderedMail = (
  db: Db,
  orderId: string,
): Promise<(OrderedLetterData & { email: string }) | null> =>
  firstRow(
    db,
    `SELECT u.email, u.first_name, o.number AS order_number, o.currency, o.subtotal_minor, o.discount_minor,
       o.shipping_minor, o.tax_minor, o.total_minor, o.partner_balance_minor, o.shipping_address,
       (SELECT json_agg(json_build_object('name', i.name, 'quantity', i.quantity, 'totalMinor', i.total_minor)
           ORDER BY i.position) FROM order_items i WHERE i.order_id = o.id) AS lines
     FROM orders o JOIN users u ON u.id = o.user_id
     WHERE o.id = $1 AND u.erased_at IS NULL`,
    [orderId],
  );

import type { Attributes } from 'sequelize';
import type { OrderLetterData } from '../../../workflows/commerce/order/order.letters';
import type { OrderedLetterData } from '../../../workflows/commerce/order/ordered.letters';
import type { User } from '../../identity/user/user.model';
import { firstRow, type Db } from '../../sql/query';

type OrderAddressee = OrderLetterData & Pick<Attributes<User>, 'email'>;

/** The buyer of an order, with the data of a mail about it; null when the account is erased, so that no mail is sent. */
export function orderAddressee(db: Db, orderId: string): Promise<OrderAddressee | null> {
  return firstRow<OrderAddressee>(
    db,
    `SELECT u.email, u.first_name, o.number AS order_number, s.tracking_number,
       s.tracking_url, m.tracking_url_template AS template
     FROM orders o JOIN users u ON u.id = o.user_id AND u.erased_at IS NULL
       JOIN shipping_methods m ON m.id = o.shipping_method_id LEFT JOIN shipments s ON s.order_id = o.id
     WHERE o.id = $1`,
    [orderId],
  );
}

/** The content of mails about a whole order, and the address they go to; null when the buyer's account is erased. */
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

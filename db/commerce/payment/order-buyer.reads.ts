import { firstRow, type Db } from '../../sql/query';

/** The buyer of an order, as a mail about the order addresses them. */
export interface OrderBuyer {
  email: string;
  firstName: string;
  orderNumber: string;
}

/** The buyer of an order; null when the account is erased, so that no mail is sent. */
export const buyerOfOrder = (db: Db, orderId: string): Promise<OrderBuyer | null> =>
  firstRow<OrderBuyer>(
    db,
    `SELECT u.email, u.first_name, o.number AS order_number FROM orders o JOIN users u ON u.id = o.user_id
     WHERE o.id = $1 AND u.erased_at IS NULL`,
    [orderId],
  );

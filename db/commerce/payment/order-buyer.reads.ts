import type { PayableKey } from '../../../workflows/commerce/payable/payable.rules';
import { firstRow, type Db } from '../../sql/query';
import { payableSql } from './payable';

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

/** The user of something paid for, as a mail about its money addresses them. */
export interface Payer {
  email: string;
  firstName: string;
  /** The thing that was paid for, such as `order ORD-2026-00000339`. */
  paidFor: string;
}

/** The user of something paid for; null when the account is erased, so that no mail is sent. */
export function payerOf(db: Db, payable: PayableKey): Promise<Payer | null> {
  const { noun, table, id } = payableSql(payable);
  return firstRow<Payer>(
    db,
    `SELECT u.email, u.first_name, '${noun} ' || p.number AS paid_for FROM ${table} p JOIN users u ON u.id = p.user_id
     WHERE p.id = $1 AND u.erased_at IS NULL`,
    [id],
  );
}

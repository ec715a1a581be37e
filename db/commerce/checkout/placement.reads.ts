import type { Attributes } from 'sequelize';
import { firstRow, type Db } from '../../sql/query';
import type { Order } from '../order/order.model';
import type { PaymentAttempt } from '../payment/payment-attempt.model';

/** An order as placed, with its newest attempt to pay; times are ISO 8601. */
export type Placement = Pick<
  Attributes<Order>,
  | 'status'
  | 'currency'
  | 'subtotalMinor'
  | 'discountMinor'
  | 'shippingMinor'
  | 'taxMinor'
  | 'totalMinor'
  | 'estimatedDelivery'
> &
  Pick<Attributes<PaymentAttempt>, 'method' | 'provider' | 'bankDetails'> & {
    orderId: string;
    orderNumber: string;
    /** The end of the order's payment window. */
    payBy: string;
    /** Null: never paid. */
    paidAt: string | null;
    attemptId: string;
    /** The amount of the attempt; the partner balance paid the rest. */
    attemptMinor: number;
    openedAt: string;
    /** The end of the attempt's payment window. */
    expiresAt: string;
    /** The page to pay on; null until the provider has made one. */
    paymentUrl: string | null;
  };

/** The placement of an order; null when it was never placed. */
export function placementOf(db: Db, orderId: string): Promise<Placement | null> {
  return firstRow<Placement>(
    db,
    `SELECT o.id AS order_id, o.number AS order_number, o.status, o.currency,
       to_char(o.payment_expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS pay_by,
       to_char(o.paid_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS paid_at,
       o.subtotal_minor, o.discount_minor,
       o.shipping_minor, o.tax_minor, o.total_minor,
       o.estimated_delivery, a.id AS attempt_id, a.method, a.amount_minor AS attempt_minor,
       a.provider, to_char(a.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS opened_at,
       to_char(a.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS expires_at,
       a.payment_url, a.bank_details
     FROM orders o JOIN payment_attempts a ON a.order_id = o.id
     WHERE o.id = $1 ORDER BY a.sequence DESC LIMIT 1`,
    [orderId],
  );
}

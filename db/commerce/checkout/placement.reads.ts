import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import type { PaymentMethod } from '../../../workflows/commerce/payment/payment.rules';
import { firstRow, type Db } from '../../sql/query';

/** An order as placed, with its newest attempt to pay. */
export interface Placement {
  orderId: string;
  orderNumber: string;
  status: OrderStatus;
  /** Until when the order may be paid; ISO 8601. */
  payBy: string;
  /** ISO 8601; null: never paid. */
  paidAt: string | null;
  currency: string;
  subtotalMinor: number;
  discountMinor: number;
  shippingMinor: number;
  taxMinor: number;
  totalMinor: number;
  /** ISO 8601 date. */
  estimatedDelivery: string | null;
  attemptId: string;
  method: PaymentMethod;
  /** What the method has to pay; the rest came from the buyer's partner balance. */
  attemptMinor: number;
  provider: string;
  /** When the attempt began, and until when it may be paid; ISO 8601. */
  openedAt: string;
  expiresAt: string;
  /** The provider's page, where it was asked for one. */
  paymentUrl: string | null;
}

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
       a.payment_url
     FROM orders o JOIN payment_attempts a ON a.order_id = o.id
     WHERE o.id = $1 ORDER BY a.sequence DESC LIMIT 1`,
    [orderId],
  );
}

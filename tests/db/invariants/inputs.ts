import { firstRow, type Db } from '../../../db/sql/query';
import type { RefundDue } from '../../../workflows/commerce/order/order.contract';
import type { PaymentEventInput } from '../../../workflows/commerce/payment-event/payment-event.contract';

/** The report that an order was paid by, as its process was started with. */
export const eventAbout = async (db: Db, orderId: string): Promise<PaymentEventInput> =>
  (await firstRow<PaymentEventInput>(
    db,
    `SELECT w.provider, w.external_event_id, w.id AS webhook_event_id FROM webhook_events w
       JOIN payment_captures c ON c.provider_payment_id = w.movement WHERE c.order_id = $1`,
    [orderId],
  ))!;

/** The refund of an order, as its process was started with. */
export const refundFor = async (db: Db, orderId: string): Promise<RefundDue> =>
  (await firstRow<RefundDue>(
    db,
    `SELECT id AS refund_id, order_id FROM payment_refunds WHERE order_id = $1`,
    [orderId],
  ))!;

import type { OrderStatus } from '../../../workflows/commerce/order/order.states';
import { trackingUrlOf } from '../../../workflows/commerce/shipment/tracking.rules';
import { letter, type Letter } from '../../administration/outbox/letter';
import { enqueueMail } from '../../administration/outbox/outbox.writes';
import { firstRow, type Tx } from '../../sql/query';

/** What a buyer is told of an order. */
export interface OrderMail {
  orderId: string;
  /** Names the news, after the order: nobody is told the same twice. */
  about: string;
  /** The status that the order has come to; null: only something of its parcel, or a note, is new. */
  to: OrderStatus | null;
  /** In the administrator's words. */
  note: string | null;
}

interface Addressee {
  email: string;
  firstName: string;
  orderNumber: string;
  trackingNumber: string | null;
  trackingUrl: string | null;
  template: string | null;
}

const HEADLINES: Partial<Record<OrderStatus, readonly [subject: string, text: string]>> = {
  PROCESSING: ['is being made ready', 'is being made ready'],
  SHIPPED: ['is on its way', 'has left and is on its way to you'],
  DELIVERED: ['was delivered', 'was delivered'],
  CANCELLED: ['is cancelled', 'is cancelled. What you paid goes back the way it came'],
};
const NO_MOVE = ['has news', 'has news'] as const;

/** Owes the buyer a mail about the order as it stands in this transaction; one whose account is gone gets none. */
export async function queueOrderMail(tx: Tx, { orderId, about, to, note }: OrderMail): Promise<void> {
  const addressee = await firstRow<Addressee>(
    tx,
    `SELECT u.email, u.first_name, o.number AS order_number, s.tracking_number,
       s.tracking_url, m.tracking_url_template AS template
     FROM orders o JOIN users u ON u.id = o.user_id AND u.erased_at IS NULL
       JOIN shipping_methods m ON m.id = o.shipping_method_id LEFT JOIN shipments s ON s.order_id = o.id
     WHERE o.id = $1`,
    [orderId],
  );
  if (!addressee) return;
  await enqueueMail(tx, {
    reference: `order:${orderId}:${about}`,
    to: addressee.email,
    ...orderLetter(addressee, to, note),
  });
}

function orderLetter(order: Addressee, to: OrderStatus | null, note: string | null): Letter {
  const [subject, text] = (to && HEADLINES[to]) ?? NO_MOVE;
  const number = to === 'CANCELLED' ? null : order.trackingNumber;
  const url = to === 'CANCELLED' ? null : trackingUrlOf(order);
  return letter({
    subject: `Your order ${order.orderNumber} ${subject}`,
    greeting: `Hello ${order.firstName},`,
    paragraphs: [
      `Your order ${order.orderNumber} ${text}.`,
      ...(note === null ? [] : [note]),
      ...(number === null ? [] : [`The number of your parcel: ${number}`]),
    ],
    ...(url !== null && { link: { label: 'Follow your parcel', url } }),
  });
}

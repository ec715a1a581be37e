import { salutation } from '../../administration/outbox/letter.rules';
import { trackingUrlOf } from '../shipment/tracking.rules';
import type { OrderStatus } from './order.states';

/** The data that a mail about an order shows. */
export interface OrderLetterData {
  firstName: string;
  orderNumber: string;
  trackingNumber: string | null;
  trackingUrl: string | null;
  /** The carrier's address of a parcel's page, with a place for its number. */
  template: string | null;
}

/** The change that a mail reports. */
export interface OrderLetterChange {
  /** The status that the order has reached; null: its parcel or its note changed. */
  to: OrderStatus | null;
  /** The administrator's own words. */
  note: string | null;
  /** A change of the parcel's tracking; left out: none. */
  tracking?: 'ADDED' | 'CHANGED' | 'REMOVED';
  /** Of a cancellation: true if money is returned. */
  isPaid?: boolean;
}

const HEADLINES: Partial<Record<OrderStatus, readonly [subject: string, text: string]>> = {
  PROCESSING: ['is being prepared', 'is being prepared'],
  SHIPPED: ['is on its way', 'has been shipped and is on its way to you'],
  DELIVERED: ['was delivered', 'was delivered'],
  CANCELLED: ['was cancelled', 'was cancelled'],
};
const TRACKING = {
  ADDED: ['was updated', 'now has tracking'],
  CHANGED: ['was updated', 'has new tracking'],
  REMOVED: ['was updated', 'no longer has tracking'],
} as const;
const NOTED = ['was updated', 'has a new note'] as const;

/** A change of an order. A cancelled order is shown without its parcel. */
export function orderChangedLetter(
  order: OrderLetterData,
  { to, note, tracking, isPaid = false }: OrderLetterChange,
) {
  const [subject, text] = (to && HEADLINES[to]) ?? (tracking ? TRACKING[tracking] : NOTED);
  const number = to === 'CANCELLED' ? null : order.trackingNumber;
  const url = to === 'CANCELLED' ? null : trackingUrlOf(order);
  return {
    subject: `Your order ${order.orderNumber} ${subject}`,
    greeting: salutation(order.firstName),
    paragraphs: [
      `Your order ${order.orderNumber} ${text}.`,
      ...(isPaid ? ['The money is returned the way you paid.'] : []),
      ...(note === null ? [] : [`A note from our team: ${note}`]),
      ...(number === null ? [] : [[`Tracking number: ${number}`]]),
    ],
    ...(url !== null && { link: { label: 'Track your parcel', url } }),
  };
}

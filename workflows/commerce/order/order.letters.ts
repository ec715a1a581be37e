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
}

const HEADLINES: Partial<Record<OrderStatus, readonly [subject: string, text: string]>> = {
  PROCESSING: ['is being made ready', 'is being made ready'],
  SHIPPED: ['is on its way', 'has left and is on its way to you'],
  DELIVERED: ['was delivered', 'was delivered'],
  CANCELLED: ['is cancelled', 'is cancelled. What you paid goes back the way it came'],
};
const WITHOUT_MOVE = ['has news', 'has news'] as const;

/** A change of an order. A cancelled order is shown without its parcel. */
export function orderChangedLetter(order: OrderLetterData, { to, note }: OrderLetterChange) {
  const [subject, text] = (to && HEADLINES[to]) ?? WITHOUT_MOVE;
  const number = to === 'CANCELLED' ? null : order.trackingNumber;
  const url = to === 'CANCELLED' ? null : trackingUrlOf(order);
  return {
    subject: `Your order ${order.orderNumber} ${subject}`,
    greeting: `Hello ${order.firstName},`,
    paragraphs: [
      `Your order ${order.orderNumber} ${text}.`,
      ...(note === null ? [] : [note]),
      ...(number === null ? [] : [`The number of your parcel: ${number}`]),
    ],
    ...(url !== null && { link: { label: 'Follow your parcel', url } }),
  };
}

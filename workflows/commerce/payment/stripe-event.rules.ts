import { idAt, valueAt, type ReportFacts } from '../webhook/report-subject.rules';
import type { PaymentOutcome } from './payment-report.rules';

/** The subject of a Stripe event, and its message. */
export type StripeEventMeaning =
  | { about: 'session'; says: PaymentOutcome | 'COMPLETED' }
  | { about: 'payment'; says: PaymentOutcome }
  | { about: 'dispute'; says: 'TAKEN' | 'RETURNED' | 'CLOSED' }
  | { about: 'refund'; says: 'CHANGED' };

/**
 * The Stripe events that are applied; the webhook address has to be subscribed to them, and to no others.
 * A session that is COMPLETED is paid, or will be when a slow method has delivered: the session tells which.
 * A payment that failed leaves its page open: the buyer may use another card there.
 * A dispute that is CLOSED is lost, won or withdrawn: the dispute tells which.
 * A refund that has CHANGED says its status itself; one without our id was made by somebody in Stripe's dashboard.
 */
const meanings = {
  'checkout.session.completed': { about: 'session', says: 'COMPLETED' },
  'checkout.session.async_payment_succeeded': { about: 'session', says: 'PAID' },
  'checkout.session.async_payment_failed': { about: 'session', says: 'DECLINED' },
  'checkout.session.expired': { about: 'session', says: 'EXPIRED' },
  'payment_intent.payment_failed': { about: 'payment', says: 'DECLINED' },
  'charge.dispute.funds_withdrawn': { about: 'dispute', says: 'TAKEN' },
  'charge.dispute.closed': { about: 'dispute', says: 'CLOSED' },
  'charge.dispute.funds_reinstated': { about: 'dispute', says: 'RETURNED' },
  'refund.created': { about: 'refund', says: 'CHANGED' },
  'refund.updated': { about: 'refund', says: 'CHANGED' },
  'refund.failed': { about: 'refund', says: 'CHANGED' },
} as const satisfies Record<string, StripeEventMeaning>;

/** The meaning of an event's type; null for a type that is not applied. */
export const stripeEventMeaning = (type: string): StripeEventMeaning | null =>
  Object.hasOwn(meanings, type) ? meanings[type as keyof typeof meanings] : null;

/** Stripe's status of a dispute that was decided for the buyer for good. */
export const STRIPE_DISPUTE_LOST = 'lost';

/** Names in the metadata of Stripe's objects under which these carry our attempt's id, and the keys of refunds and transfers. */
export const STRIPE_ATTEMPT = 'attempt_id';
export const STRIPE_REFUND = 'refund_id';
export const STRIPE_TRANSFER = 'transfer_key';

/** Stripe's id of the subject of an event: our attempt where it carries one, else the payment, else the object itself. */
export const subjectOfStripeEvent = (event: unknown): string | null => {
  const object = ['data', 'object'];
  return idAt(
    event,
    [...object, 'metadata', STRIPE_ATTEMPT],
    [...object, 'payment_intent'],
    [...object, 'payment_intent', 'id'],
    [...object, 'id'],
  );
};

const PAYMENT = [
  ['data', 'object', 'payment_intent'],
  ['data', 'object', 'payment_intent', 'id'],
] as const;

/** The facts of a Stripe event; money has moved by a session that is paid, and by a dispute. */
export function factsOfStripeEvent(type: string, event: unknown): ReportFacts {
  const { about } = stripeEventMeaning(type) ?? { about: null };
  const isPaid = about === 'session' && valueAt(event, ['data', 'object', 'payment_status']) === 'paid';
  const id = about === 'dispute' || about === 'refund' ? idAt(event, ['data', 'object', 'id']) : null;
  return {
    subject: subjectOfStripeEvent(event),
    movement: isPaid ? idAt(event, ...PAYMENT) : id,
    amountMinor: null,
  };
}

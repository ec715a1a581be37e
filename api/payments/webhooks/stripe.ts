import { z } from 'zod';
import {
  factsOfStripeEvent,
  STRIPE_ATTEMPT,
  STRIPE_DISPUTE_LOST,
  stripeEventMeaning,
  type StripeEventMeaning,
} from '../../../workflows/commerce/payment/stripe-event.rules';
import type { Intake } from '../../http/request/intake';
import { EventId, EventType, orInvalid, readJson } from '../../webhooks/report';

/** The longest age of a signature; an older one is a replay. */
const TOLERANCE_SECONDS = 300;

/** Sessions and payments of an account that others use too are ours only if they carry an attempt of ours. */
const OfAttempt = z.object({
  data: z.object({ object: z.object({ metadata: z.object({ [STRIPE_ATTEMPT]: z.uuid() }) }) }),
});

/** A refund without our id may be of a payment of ours all the same, which its process looks for; one of no payment is not. */
const OfPayment = z.object({
  data: z.object({ object: z.object({ payment_intent: z.union([z.string(), z.object({})]) }) }),
});

/** A closed dispute is applied when we lost it: one that was won is returned by an event of its own. */
const LostDispute = z.object({
  data: z.object({ object: z.object({ status: z.literal(STRIPE_DISPUTE_LOST) }) }),
});

/** True if an event of this meaning is ours and is applied. */
function isKnown(meaning: StripeEventMeaning | null, event: unknown): boolean {
  if (meaning === null) return false;
  if (meaning.about === 'refund') return OfPayment.safeParse(event).success;
  if (meaning.about !== 'dispute') return OfAttempt.safeParse(event).success;
  return meaning.says !== 'CLOSED' || LostDispute.safeParse(event).success;
}

/** Stripe's own form: one header has time and signature, and the event's id is in the body. */
export const stripeIntake = (secrets: readonly string[]): Intake => ({
  async isSigned({ rawBody, header }, now) {
    const signature = header('stripe-signature');
    if (signature === undefined) return false;
    // Loaded when the first report comes: it is large, and most installations use another provider.
    const { default: Stripe } = await import('stripe');
    const { signature: signatures } = Stripe.webhooks;
    return secrets.some((secret) => {
      try {
        const at = now.getTime();
        return (
          signatures?.verifyHeader(rawBody, signature, secret, TOLERANCE_SECONDS, undefined, at) === true
        );
      } catch {
        return false;
      }
    });
  },

  read({ rawBody }) {
    const { value, ...report } = readJson(rawBody);
    const externalEventId = orInvalid('id', z.object({ id: EventId }).safeParse(value)).id;
    const { type } = orInvalid('type', z.object({ type: EventType }).safeParse(value));
    const known = isKnown(stripeEventMeaning(type), value);
    return { externalEventId, type, ...factsOfStripeEvent(type, value), known, ...report };
  },
});

import { z } from 'zod';
import { STRIPE_ATTEMPT, stripeEventMeaning } from '../../../workflows/commerce/stripe-event.rules';
import type { Intake } from './intake';
import { EventId, EventType, orInvalid, readJson } from './report';

/** How old a signature may be; older is a recording. */
const TOLERANCE_SECONDS = 300;

/** Sessions and payments of an account that others use too are not ours unless they carry an attempt of ours. */
const OfAttempt = z.object({
  data: z.object({ object: z.object({ metadata: z.object({ [STRIPE_ATTEMPT]: z.uuid() }) }) }),
});

/** Stripe's own form: one header has time and signature, and the event's id stands in the body. */
export const stripeIntake = (secrets: readonly string[]): Intake => ({
  async isSigned({ rawBody, header }, now) {
    const signature = header('stripe-signature');
    if (signature === undefined) return false;
    // Loaded when the first report comes: it is large, and most installations take payments otherwise.
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
    const meaning = stripeEventMeaning(type);
    const known = meaning !== null && (meaning.about === 'dispute' || OfAttempt.safeParse(value).success);
    return { externalEventId, type, known, ...report };
  },
});

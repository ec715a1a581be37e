import { idAt, valueAt, type ReportFacts } from '../../../../workflows/commerce/webhook/report-subject.rules';
import type { ReportForm } from '../../webhook';
import type { PaymentWebhook } from '../webhook';
import { ourStripeEvent, STRIPE_ATTEMPT, stripeEventMeaning, stripeMessage } from './message';
import { stripeVariables } from './variables';

export const stripeWebhook = {
  code: 'stripe',
  variables: stripeVariables,
  words: 'sends its own events with `Stripe-Signature`',
  hasStatement: true,
  formOf: ({ STRIPE_WEBHOOK_SECRETS: secrets }) => (secrets.length > 0 ? stripeForm(secrets) : null),
  readMessage: stripeMessage,
} satisfies PaymentWebhook<{ STRIPE_WEBHOOK_SECRETS: readonly string[] }>;

/** The longest age of a signature; an older one is a replay. */
const TOLERANCE_SECONDS = 300;

/** Stripe's own form: one header has time and signature, and the event's id is in the body. */
const stripeForm = (secrets: readonly string[]): ReportForm => ({
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
  idOf: (_header, event) => ({ name: 'id', id: valueAt(event, ['id']) }),
  isKnown: (_type, event) => ourStripeEvent(event) !== null,
  factsOf: factsOfStripeEvent,
});

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
  const meaning = stripeEventMeaning(type);
  const about = meaning?.about;
  const isPaid = about === 'session' && valueAt(event, ['data', 'object', 'payment_status']) === 'paid';
  const id = about === 'dispute' || about === 'refund' ? idAt(event, ['data', 'object', 'id']) : null;
  return {
    subject: subjectOfStripeEvent(event),
    movement: isPaid ? idAt(event, ...PAYMENT) : id,
    outcome: isPaid ? 'PAID' : meaning?.about === 'dispute' ? meaning.says : null,
    amountMinor: null,
  };
}

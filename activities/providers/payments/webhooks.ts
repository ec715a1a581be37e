import { sandboxWebhook } from './sandbox/webhook';
import { stripeWebhook } from './stripe/webhook';

/** The providers that report on payments, for the API; their drivers are in `../drivers.ts`. */
export const paymentWebhooks = [sandboxWebhook, stripeWebhook] as const;

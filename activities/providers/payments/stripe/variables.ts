import { z } from 'zod';
import { WebAddress, type ProviderVariables } from '../../variables';

export const stripeVariables = {
  api: {
    /** The signing secrets of the webhook address at Stripe, separated by commas: all are accepted. Unset: no report is. */
    STRIPE_WEBHOOK_SECRETS: z
      .string()
      .default('')
      .transform((list) => list.split(',').flatMap((secret) => secret.trim() || []))
      .pipe(z.array(z.string().regex(/^whsec_\w+$/, 'must be whsec_ and letters; several parted by commas'))),
  },
  worker: {
    /**
     * Stripe's key, secret or restricted: sessions, refunds, payment intents and, to send money out or to look up what was
     * sent, transfers are used.
     */
    STRIPE_SECRET_KEY: z
      .string()
      .regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a key of Stripe, such as sk_live_…')
      .optional(),
    /** The address of Stripe's API, for tests; Stripe's own unless set. */
    STRIPE_API_BASE: WebAddress.optional(),
    /** The addresses that Stripe's page leads to, paid or cancelled; the documentation unless set. */
    STRIPE_SUCCESS_URL: WebAddress.optional(),
    STRIPE_CANCEL_URL: WebAddress.optional(),
  },
  required: ['STRIPE_WEBHOOK_SECRETS', 'STRIPE_SECRET_KEY'],
} satisfies ProviderVariables;

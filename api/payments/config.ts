import { z } from 'zod';
import { bankFileDebtor, BankFileConfig } from '../../db/commerce/bank-file/config';
import { PaymentsMode } from '../../db/sql/config';
import { ConfigurationError } from '../../db/sql/environment/variables';
import { requireRealPayments } from '../../db/schema/production';

/** The environment variables of payments; a part of the API's configuration. */
export const PaymentsConfig = z.object({
  ...PaymentsMode.shape,
  ...BankFileConfig.shape,
  /**
   * The sandbox's secrets, `whsec_` and base64 of at least 24 bytes, separated by commas: the first signs, all are
   * accepted. To rotate, append the new one everywhere, move it to the front, and drop the old one when its links
   * have expired.
   */
  SANDBOX_SECRET: z
    .string()
    .transform((list) => list.split(',').map((secret) => secret.trim()))
    .pipe(z.array(z.string().regex(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/, 'must be whsec_ and base64')).min(1)),
  /** The provider that takes payments, by its name in webhook addresses; workers open payments there. */
  PAYMENT_PROVIDER: z.string().min(1).default('sandbox'),
  /** The provider that sends money out; the sandbox's page of transfers and bank files depend on it. Empty counts as unset. */
  PAYOUT_PROVIDER: z
    .literal('')
    .transform(() => undefined)
    .or(z.string())
    .optional(),
  /** The signing secrets of Stripe's webhook address, separated by commas: all are accepted. Empty: no report is. */
  STRIPE_WEBHOOK_SECRETS: z
    .string()
    .default('')
    .transform((list) => list.split(',').flatMap((secret) => secret.trim() || []))
    .pipe(z.array(z.string().regex(/^whsec_\w+$/, 'must be whsec_ and letters; several parted by commas'))),
});

/**
 * Requires that the provider of payments can report on them, and takes real payments in production. Throws an error that
 * names the variable that is missing or wrong.
 */
export function requireWholePayments(config: z.output<typeof PaymentsConfig>): void {
  requireRealPayments(config);
  bankFileDebtor(config);
  if (config.PAYMENT_PROVIDER === 'stripe' && config.STRIPE_WEBHOOK_SECRETS.length === 0)
    throw new ConfigurationError('PAYMENT_PROVIDER is stripe, so STRIPE_WEBHOOK_SECRETS must be set.');
}

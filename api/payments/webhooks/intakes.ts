import { isSandboxAllowed } from '../../../db/schema/production';
import { factsOfReport, isKnownReport } from '../../../workflows/commerce/payment/payment-report.rules';
import type { ApiConfig } from '../../config';
import type { Intake } from '../../http/request/intake';
import { standardIntake } from '../../webhooks/standard';
import { stripeIntake } from './stripe';

type IntakeConfig = Pick<
  ApiConfig,
  'PAYMENT_PROVIDER' | 'SANDBOX_SECRET' | 'STRIPE_WEBHOOK_SECRETS' | 'NODE_ENV' | 'ALLOW_SANDBOX_PAYMENTS'
>;

/** True if the sandbox takes payments, which production has to allow; if not, none of its routes are served. */
export const isSandboxInUse = (
  config: Pick<IntakeConfig, 'PAYMENT_PROVIDER' | 'NODE_ENV' | 'ALLOW_SANDBOX_PAYMENTS'>,
): boolean => config.PAYMENT_PROVIDER === 'sandbox' && isSandboxAllowed(config);

/** True if the sandbox sends money out, which production has to allow; if not, its page of transfers is not served. */
export const sendsBySandbox = (
  config: Pick<ApiConfig, 'PAYMENT_PROVIDER' | 'PAYOUT_PROVIDER' | 'NODE_ENV' | 'ALLOW_SANDBOX_PAYMENTS'>,
): boolean => (config.PAYOUT_PROVIDER ?? config.PAYMENT_PROVIDER) === 'sandbox' && isSandboxAllowed(config);

/** The intake of a provider's reports; null for an unknown provider, or one that is not in use. */
export function intakeOf(provider: string, config: IntakeConfig): Intake | null {
  const { SANDBOX_SECRET: sandbox, STRIPE_WEBHOOK_SECRETS: stripe } = config;
  if (provider === 'sandbox') {
    const reading = { isKnown: isKnownReport, factsOf: factsOfReport };
    return isSandboxInUse(config) ? standardIntake(sandbox, reading) : null;
  }
  return provider === 'stripe' && stripe.length > 0 ? stripeIntake(stripe) : null;
}

import { isSandboxAllowed } from '../../../db/schema/production';
import type { ApiConfig } from '../../config';
import type { Intake } from '../../http/request/intake';
import { standardIntake } from './standard';
import { stripeIntake } from './stripe';

type IntakeConfig = Pick<
  ApiConfig,
  'PAYMENT_PROVIDER' | 'SANDBOX_SECRET' | 'STRIPE_WEBHOOK_SECRETS' | 'NODE_ENV' | 'ALLOW_SANDBOX_PAYMENTS'
>;

/** Whether the sandbox takes payments, which production has to allow; where it does not, nothing of it is served. */
export const isSandboxInUse = (
  config: Pick<IntakeConfig, 'PAYMENT_PROVIDER' | 'NODE_ENV' | 'ALLOW_SANDBOX_PAYMENTS'>,
): boolean => config.PAYMENT_PROVIDER === 'sandbox' && isSandboxAllowed(config);

/** How a provider's reports are taken; null for a code that is no provider's, or of one that is not in use. */
export function intakeOf(provider: string, config: IntakeConfig): Intake | null {
  const { SANDBOX_SECRET: sandbox, STRIPE_WEBHOOK_SECRETS: stripe } = config;
  if (provider === 'sandbox') return isSandboxInUse(config) ? standardIntake(sandbox) : null;
  return provider === 'stripe' && stripe.length > 0 ? stripeIntake(stripe) : null;
}

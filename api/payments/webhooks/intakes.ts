import { isSandboxAllowed } from '../../../db/production';
import type { ApiConfig } from '../../config';
import type { Intake } from './intake';
import { standardIntake } from './standard';
import { stripeIntake } from './stripe';

type IntakeSettings = Pick<
  ApiConfig,
  'SANDBOX_SECRET' | 'STRIPE_WEBHOOK_SECRETS' | 'NODE_ENV' | 'ALLOW_SANDBOX_PAYMENTS'
>;

/** How a provider's reports are taken; null for a code that is no provider's, or of one that is not set up. */
export function intakeOf(provider: string, settings: IntakeSettings): Intake | null {
  const { SANDBOX_SECRET: sandbox, STRIPE_WEBHOOK_SECRETS: stripe } = settings;
  if (provider === 'sandbox') return isSandboxAllowed(settings) ? standardIntake(sandbox) : null;
  return provider === 'stripe' && stripe.length > 0 ? stripeIntake(stripe) : null;
}

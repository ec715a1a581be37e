import type { ApiConfig } from '../../config';
import type { Intake } from './intake';
import { standardIntake } from './standard';
import { stripeIntake } from './stripe';

type IntakeSecrets = Pick<ApiConfig, 'SANDBOX_SECRET' | 'STRIPE_WEBHOOK_SECRETS'>;

/** How a provider's reports are taken; null for a code that is no provider's, or of one that is not set up. */
export function intakeOf(provider: string, secrets: IntakeSecrets): Intake | null {
  const { SANDBOX_SECRET: sandbox, STRIPE_WEBHOOK_SECRETS: stripe } = secrets;
  if (provider === 'sandbox') return standardIntake(sandbox);
  return provider === 'stripe' && stripe.length > 0 ? stripeIntake(stripe) : null;
}

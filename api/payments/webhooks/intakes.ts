import type { PaymentWebhook } from '../../../activities/providers/payments/webhook';
import { isSandboxAllowed } from '../../../db/policy/production';
import type { ApiConfig } from '../../config';
import type { Intake } from '../../http/request/intake';
import { intakeBy } from '../../webhooks/standard';

type SandboxUse = Pick<ApiConfig, 'PAYMENT_PROVIDER' | 'NODE_ENV' | 'ALLOW_SANDBOX_PAYMENTS'>;

/** True if the sandbox takes payments, which production has to allow; if not, none of its routes are served. */
export const isSandboxInUse = (config: SandboxUse): boolean =>
  config.PAYMENT_PROVIDER === 'sandbox' && isSandboxAllowed(config);

/** True if the sandbox sends money out, which production has to allow; if not, its page of transfers is not served. */
export const sendsBySandbox = (config: SandboxUse & Pick<ApiConfig, 'PAYOUT_PROVIDER'>): boolean =>
  (config.PAYOUT_PROVIDER ?? config.PAYMENT_PROVIDER) === 'sandbox' && isSandboxAllowed(config);

/** The intake of a provider's reports; null for an unknown provider, or one that is not in use. */
export const intakesOf =
  <Config extends SandboxUse>(webhooks: readonly PaymentWebhook<Config>[], config: Config) =>
  (provider: string): Intake | null => {
    if (provider === 'sandbox' && !isSandboxInUse(config)) return null;
    const form = webhooks.find(({ code }) => code === provider)?.formOf(config);
    return form ? intakeBy(form) : null;
  };

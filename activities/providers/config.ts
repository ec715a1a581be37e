import { z } from 'zod';
import { DEMO_BANK, requireOwnBank, requireRealPayments } from '../../db/schema/production';
import { BlobConfig } from '../../db/blobs/config';
import { environment, PaymentsMode } from '../../db/sql/config';
import { MailConfig } from './mail/config';
import { SmsConfig } from './sms/config';

/** As Standard Webhooks write it. */
const Secret = z
  .string()
  .regex(
    /^whsec_[A-Za-z0-9+/]{32,}={0,2}$/,
    'must be whsec_ and at least 24 bytes in base64; several parted by commas',
  );

/** A web address without a slash at the end. */
const WebAddress = z.url({ protocol: /^https?$/ }).transform((url) => url.replace(/\/+$/, ''));

/** Empty counts as unset. */
const OptionalAddress = z
  .literal('')
  .transform(() => undefined)
  .or(WebAddress)
  .optional();

/** What the outside world needs of the environment. */
export const ProvidersConfig = z.object({
  ...PaymentsMode.shape,
  ...BlobConfig.shape,
  ...MailConfig.shape,
  ...SmsConfig.shape,
  /** Who takes payments, by the name in webhook addresses. */
  PAYMENT_PROVIDER: z.string().min(1).default('sandbox'),
  /** Stripe's key, secret or restricted: sessions, refunds and payment intents are used. Empty counts as unset. */
  STRIPE_SECRET_KEY: z
    .literal('')
    .transform(() => undefined)
    .or(z.string().regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a key of Stripe, such as sk_live_…'))
    .optional(),
  /** Where Stripe's API is, for tests; Stripe's own unless set. */
  STRIPE_API_BASE: OptionalAddress,
  /** Where browsers go on from Stripe's page, when it is paid and when the buyer turns back; the documentation unless set. */
  STRIPE_SUCCESS_URL: OptionalAddress,
  STRIPE_CANCEL_URL: OptionalAddress,
  /** Our own bank account, for buyers who send a transfer. */
  BANK_NAME: z.string().min(1).default(DEMO_BANK.BANK_NAME),
  BANK_ACCOUNT_NUMBER: z.string().min(1).default(DEMO_BANK.BANK_ACCOUNT_NUMBER),
  BANK_BIK: z.string().min(1).default(DEMO_BANK.BANK_BIK),
  /** Where people and providers reach the API from outside, without a slash at the end. */
  PUBLIC_URL: WebAddress.default('http://localhost:3000'),
  /** Where the sandbox provider reaches the API, when a worker can't go by PUBLIC_URL. Empty counts as unset. */
  SANDBOX_WEBHOOK_URL: OptionalAddress,
  /** Sign what the sandbox provider reports: the first signs, all are accepted. The same for API and workers. */
  SANDBOX_SECRET: z
    .string()
    .transform((secrets) => secrets.split(',').map((secret) => secret.trim()))
    .pipe(z.tuple([Secret], Secret)),
});

export type ProvidersConfig = z.output<typeof ProvidersConfig>;

/** Reads the environment; throws an error that names what is missing, wrong, or refused in production. */
export function providersConfig(): ProvidersConfig {
  const config = ProvidersConfig.parse(environment());
  requireRealPayments(config);
  requireOwnBank(config);
  return config;
}

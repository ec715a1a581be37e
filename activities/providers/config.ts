import { z } from 'zod';
import { DEMO_BANK, requireOwnBank, requireRealPayments } from '../../db/schema/production';
import { bankFileDebtor, BankFileConfig } from '../../db/commerce/bank-file/config';
import { BlobConfig } from '../../db/blobs/config';
import { addressesAllowedBy, ProviderAddressConfig } from '../../db/investment/provider/config';
import { environment, PaymentsMode } from '../../db/sql/config';
import { readVariables } from '../../db/sql/environment/variables';
import { MailConfig } from './mail/config';
import { SmsConfig } from './sms/config';

/** A secret in the form of Standard Webhooks. */
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

/** An email address. Empty counts as unset. */
const OptionalEmail = z
  .literal('')
  .transform(() => undefined)
  .or(z.email())
  .optional();

/** The environment variables of mail, text messages, payments, blobs and reviews. */
export const ProvidersConfig = z.object({
  ...PaymentsMode.shape,
  ...BankFileConfig.shape,
  ...ProviderAddressConfig.shape,
  ...BlobConfig.shape,
  ...MailConfig.shape,
  ...SmsConfig.shape,
  /** The provider that takes payments, by its name in webhook addresses. */
  PAYMENT_PROVIDER: z.string().min(1).default('sandbox'),
  /** The provider that sends money out: sandbox, stripe, bank-file, or bank for a person. Empty counts as unset. */
  PAYOUT_PROVIDER: z
    .literal('')
    .transform(() => undefined)
    .or(z.string())
    .optional(),
  /**
   * The codes of payout providers that are gone for good, separated by commas: what they were asked for, and never ended, is
   * settled by the word of a person.
   */
  PAYOUT_PROVIDERS_RETIRED: z
    .string()
    .default('')
    .transform((codes) =>
      codes
        .split(',')
        .map((code) => code.trim())
        .filter((code) => code !== ''),
    ),
  /**
   * Stripe's key, secret or restricted: sessions, refunds, payment intents and, to send money out or to look up what was
   * sent, transfers are used. Empty counts as unset.
   */
  STRIPE_SECRET_KEY: z
    .literal('')
    .transform(() => undefined)
    .or(z.string().regex(/^(sk|rk)_(test|live)_\w+$/, 'must be a key of Stripe, such as sk_live_…'))
    .optional(),
  /** The address of Stripe's API, for tests; Stripe's own unless set. */
  STRIPE_API_BASE: OptionalAddress,
  /** The addresses that Stripe's page leads to, paid or cancelled; the documentation unless set. */
  STRIPE_SUCCESS_URL: OptionalAddress,
  STRIPE_CANCEL_URL: OptionalAddress,
  /** Our own bank account, for transfers of buyers. */
  BANK_HOLDER: z.string().min(1).default(DEMO_BANK.BANK_HOLDER),
  BANK_NAME: z.string().min(1).default(DEMO_BANK.BANK_NAME),
  BANK_ACCOUNT_NUMBER: z.string().min(1).default(DEMO_BANK.BANK_ACCOUNT_NUMBER),
  BANK_BIK: z.string().min(1).default(DEMO_BANK.BANK_BIK),
  /** The API's address for people and providers, without a slash at the end. */
  PUBLIC_URL: WebAddress.default('http://localhost:3000'),
  /** The API's address for the sandbox provider, where a worker cannot use PUBLIC_URL. Empty counts as unset. */
  SANDBOX_WEBHOOK_URL: OptionalAddress,
  /** Mails about identity verifications that are overdue and that no reviewer has claimed go here; none unless set. */
  KYC_QUEUE_EMAIL: OptionalEmail,
  /** The secrets of the sandbox's reports: the first signs, all are accepted. The same for API and workers. */
  SANDBOX_SECRET: z
    .string()
    .transform((secrets) => secrets.split(',').map((secret) => secret.trim()))
    .pipe(z.tuple([Secret], Secret)),
});

export type ProvidersConfig = z.output<typeof ProvidersConfig>;

/** Reads the environment; throws an error that names variables that are missing, wrong, or refused in production. */
export function providersConfig(): ProvidersConfig {
  const config = readVariables(ProvidersConfig, environment());
  requireRealPayments(config);
  requireOwnBank(config);
  bankFileDebtor(config);
  addressesAllowedBy(config);
  return config;
}

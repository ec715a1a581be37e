import { z } from 'zod';
import { requireOwnBank, requireRealPayments } from '../../db/policy/production';
import { bankFileDebtor } from '../../db/commerce/bank-file/config';
import { BlobConfig } from '../../db/blobs/config';
import { addressesAllowedBy } from '../../db/investment/provider/config';
import { environment, PaymentsMode } from '../../db/sql/config';
import { ConfigurationError, readVariables } from '../../db/sql/environment/variables';
import { drivers } from './drivers';
import { choiceVariables } from './payments/variables';
import { missingVariable, variablesOf, WebAddress } from './variables';

/** The environment variables of everything that workers call, of blobs and of reviews. */
export const ProvidersConfig = z.object({
  ...PaymentsMode.shape,
  ...BlobConfig.shape,
  ...choiceVariables,
  ...variablesOf(drivers, 'worker'),
  /**
   * The codes of providers of payouts and of payments that are gone for good, separated by commas: what was requested from them,
   * and never ended, is settled by the word of a person.
   */
  PROVIDERS_RETIRED: z
    .string()
    .default('')
    .transform((codes) =>
      codes
        .split(',')
        .map((code) => code.trim())
        .filter((code) => code !== ''),
    ),
  /** The API's address for people and providers, without a slash at the end. */
  PUBLIC_URL: WebAddress.default('http://localhost:3000'),
  /** Mails about identity verifications that are overdue and that no reviewer has claimed go here; none unless set. */
  KYC_QUEUE_EMAIL: z.email().optional(),
});

export type ProvidersConfig = z.output<typeof ProvidersConfig>;

/** Reads the environment; throws an error that names variables that are missing, wrong, or refused in production. */
export function providersConfig(): ProvidersConfig {
  const config = readVariables(ProvidersConfig, environment());
  requireWholePayments(config);
  requireRealPayments(config);
  requireOwnBank(config);
  bankFileDebtor(config);
  addressesAllowedBy(config);
  return config;
}

/** Throws where the provider of payments requires a variable of workers that is not set. */
export function requireWholePayments(config: ProvidersConfig): void {
  const missing = missingVariable(drivers, 'worker', config);
  if (missing !== null) throw new ConfigurationError(missing);
}

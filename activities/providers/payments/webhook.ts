import type { ReportForm } from '../webhook';
import type { ProviderVariables } from '../variables';
import type { PaymentMessage } from './message';

/**
 * A provider of payments, as far as it reports to us; `webhooks.ts` lists them. `Config`: the variables that the API reads for
 * it. Pure, because the API imports it.
 */
export interface PaymentWebhook<Config> {
  /** Its name in webhook addresses and in our rows, as its driver has it. */
  readonly code: string;
  readonly variables: ProviderVariables;
  /** For the API's documentation: the way it signs, after its code. */
  readonly words: string;
  /** True if workers can read its statement, and compare it with ours. */
  readonly hasStatement: boolean;
  /** The form of its reports; null when it is not configured, so that none is accepted. */
  readonly formOf: (config: Config) => ReportForm | null;
  /** Reads a verified event, its JSON value; null when it is not of the provider's form, or of no use to us. */
  readonly readMessage: (event: unknown) => PaymentMessage | null;
}

import { z } from 'zod';
import { choiceVariables } from '../../activities/providers/payments/variables';
import { paymentWebhooks } from '../../activities/providers/payments/webhooks';
import { missingVariable, variablesOf } from '../../activities/providers/variables';
import { bankFileDebtor, BankFileConfig } from '../../db/commerce/bank-file/config';
import { PaymentsMode } from '../../db/sql/config';
import { ConfigurationError } from '../../db/sql/environment/variables';
import { requireRealPayments } from '../../db/policy/production';

/** The environment variables of payments; a part of the API's configuration. */
export const PaymentsConfig = z.object({
  ...PaymentsMode.shape,
  ...BankFileConfig.shape,
  ...choiceVariables,
  ...variablesOf(paymentWebhooks, 'api'),
});

/**
 * Requires that the provider of payments can report on them, and takes real payments in production. Throws an error that
 * names the variable that is missing or wrong.
 */
export function requireWholePayments(config: z.output<typeof PaymentsConfig>): void {
  requireRealPayments(config);
  bankFileDebtor(config);
  const missing = missingVariable(paymentWebhooks, 'api', config);
  if (missing !== null) throw new ConfigurationError(missing);
}

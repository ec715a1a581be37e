import { z } from 'zod';
import { isIban } from './iban';
import { sepaText } from '../../../workflows/commerce/payout/bank-file/sepa-text.rules';
import { ConfigurationError } from '../../sql/environment/variables';

/** The account that bank files pay from; the same for API and workers. */
export const BankFileConfig = z.object({
  /** Our name, in Latin letters. */
  BANK_FILE_DEBTOR_NAME: z
    .string()
    .trim()
    .max(70)
    .refine((name) => sepaText(name, 70) === name, "must be Latin letters, digits and / - ? : ( ) . , ' +")
    .optional(),
  BANK_FILE_DEBTOR_IBAN: z
    .string()
    .transform((iban) => iban.replace(/\s/g, '').toUpperCase())
    .pipe(z.string().regex(/^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/, 'must be an IBAN'))
    .refine(isIban, 'must be an IBAN: the country, the length or the check digits are wrong')
    .optional(),
  BANK_FILE_DEBTOR_BIC: z
    .string()
    .regex(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/, 'must be a BIC of 8 or 11 characters')
    .optional(),
});

type Config = z.output<typeof BankFileConfig> & { PAYOUT_PROVIDER?: string | undefined };

/** The account that bank files pay from. */
export interface BankFileDebtor {
  name: string;
  iban: string;
  bic: string;
}

/**
 * The account that bank files pay from; null when it is not set. Throws when PAYOUT_PROVIDER is bank-file and one of its
 * variables is missing.
 */
export function bankFileDebtor(config: Config): BankFileDebtor | null {
  const { BANK_FILE_DEBTOR_NAME: name, BANK_FILE_DEBTOR_IBAN: iban, BANK_FILE_DEBTOR_BIC: bic } = config;
  if (name !== undefined && iban !== undefined && bic !== undefined) return { name, iban, bic };
  if (config.PAYOUT_PROVIDER === 'bank-file')
    throw new ConfigurationError(
      'PAYOUT_PROVIDER is bank-file, so BANK_FILE_DEBTOR_NAME, BANK_FILE_DEBTOR_IBAN and BANK_FILE_DEBTOR_BIC must be set.',
    );
  return null;
}

import { isSEPACountry, isValidIBAN } from 'ibantools';
import type { Destination } from '../../../workflows/commerce/payout/destination.rules';

/*
 * IBANs by ISO 13616. Not in workflows/: the library changes with the lists of countries, and no workflow decides by it.
 */

/** True for a valid IBAN, in capitals without spaces: of a country that has them, of its length and form. */
export const isIban = (iban: string): boolean => isValidIBAN(iban);

/** True for the IBAN of an account that euros can be sent to by SEPA. */
export const isSepaIban = (iban: string): boolean => isIban(iban) && isSEPACountry(iban.slice(0, 2));

/** The reason that the IBAN of a transfer cannot be in a bank file, without data of the person; null: it can, or has none. */
export function unfitIban({
  currency,
  destination,
}: {
  currency: string;
  destination: Destination;
}): string | null {
  if (destination.method !== 'BANK_TRANSFER' || destination.iban === undefined) return null;
  if (!isIban(destination.iban)) return 'The IBAN of the destination is not valid.';
  return currency === 'EUR' && !isSepaIban(destination.iban)
    ? 'The account of the destination is outside SEPA.'
    : null;
}

import type { Destination } from '../destination.rules';
import { sepaText } from './sepa-text.rules';

/**
 * The highest amount of one SEPA credit transfer, in minor units. Chosen: it holds in every currency, so that the sum of a file
 * stays exact.
 */
const MOST_MINOR = 99_999_999_999;

/** A transfer that may be put into a file for a bank. */
export interface TransferByFile {
  amountMinor: number;
  destination: Destination;
}

/** The reason that a transfer cannot be in a file, without data of the person; null: it can, if its IBAN can. */
export function unfitForFile({ amountMinor, destination }: TransferByFile): string | null {
  if (amountMinor > MOST_MINOR) return 'The amount is above the highest of a transfer by bank file.';
  if (destination.method !== 'BANK_TRANSFER' || destination.iban === undefined)
    return 'The destination has no IBAN.';
  return sepaText(destination.accountHolder, MOST_NAME) === ''
    ? 'The name of the account holder cannot be written in Latin letters.'
    : null;
}

/** The longest name of a party in a transfer. */
export const MOST_NAME = 70;

/**
 * The name of a file or a transfer in messages of the bank, which take at most 35 characters: its id without hyphens.
 * The bank's report names them by it.
 */
export const bankName = (id: string): string => id.replaceAll('-', '');

import type { Tx } from '../../../db/sql/query';
import { amountInWords } from '../../../workflows/commerce/money.rules';
import { transferKey } from '../../../workflows/commerce/payout/transfer-out.rules';
import type { Fate } from '../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import { refusalIn } from '../../../workflows/errors';
import type { Payouts } from '.';
import type { ArrivedTransfer, AttemptedTransfer } from './attempted-transfer';
import type { FoundAttempt } from './look-up-attempt';

export const ONLY_JUST_CHANGED = 'It has only just changed. Try again.';

/**
 * The fate of a transfer that an operator gives up. What a provider has under way and has not begun is taken back in the same
 * transaction, so that it does not send it while a person does.
 */
export async function fateToAbandon(
  tx: Tx,
  { providers }: Pick<Payouts, 'providers'>,
  { id, sendings, askedProvider }: AttemptedTransfer,
  found: FoundAttempt,
  at: Date,
): Promise<Fate> {
  const takeBack = askedProvider === null ? undefined : providers.get(askedProvider)?.takeBack;
  if (found.fate !== 'UNDER_WAY' || !takeBack) return found.fate;
  const transfer = { key: transferKey(id, sendings), reason: 'It was left to a person.', at };
  try {
    return (await takeBack(tx, transfer)) ? 'TAKEN_BACK' : found.fate;
  } catch (error) {
    if (refusalIn(error)?.code !== 'CANNOT_SETTLE') throw error;
    return found.fate;
  }
}

/** The words for an operator about a transfer of another amount than was to be sent. */
export const wordsOfOther = (
  { provider, transferId, amountMinor, currency: arrivedIn }: ArrivedTransfer,
  { currency, name }: Pick<AttemptedTransfer, 'currency' | 'name'>,
): string =>
  `${provider} has sent ${amountInWords(amountMinor, arrivedIn ?? currency)} of this ${name}, as ${transferId}. A person settles it by that reference.`;

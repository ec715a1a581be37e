import { amountInWords } from '../../../workflows/commerce/money.rules';
import { BY_HAND, type UnprovenAttempt } from '../../../workflows/commerce/payout/transfer-out.rules';
import type { Fate, TransferState } from '../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import { refusal } from '../../../workflows/errors';

/** Money that is paid out, or back to a buyer, as far as its attempts at providers depend on it. */
export interface AttemptedTransfer {
  id: string;
  /** The last time that the last attempt was requested from its provider; null: it was not, or the outcome is certain. */
  askedAt: Date | null;
  /** The provider that was asked last, whatever became of it; null: none ever was. */
  askedProvider: string | null;
  /** The number of the last attempt. */
  sendings: number;
  amountMinor: number;
  currency: string;
  /** Earlier attempts that ended without the word of their provider. */
  unproven: readonly UnprovenAttempt[];
  /** As people name it: "withdrawal", "payout", "refund". */
  name: string;
}

/** A transfer by which a provider has sent money. */
export interface ArrivedTransfer {
  provider: string;
  transferId: string;
  amountMinor: number;
  /** Left out where it can be no other than was requested. */
  currency?: string;
  /** The number of the attempt that has arrived, where it is not the one that was looked up. */
  otherAttempt?: number;
}

/** The state of money on its way out: of a payout, or of a withdrawal, that is not over. */
export const openStateOf = ({
  status,
  provider,
  askedAt,
}: {
  status: string;
  provider: string | null;
  askedAt: Date | null;
}): Extract<TransferState, 'DUE' | 'ASKED' | 'BY_HAND' | 'FAILED'> => {
  if (status !== 'PROCESSING') return 'FAILED';
  if (provider === BY_HAND) return 'BY_HAND';
  return askedAt === null ? 'DUE' : 'ASKED';
};

/** True if the last attempt is the one that was looked up: otherwise what was found may be of another one. */
export const isSameAttempt = (
  one: Pick<AttemptedTransfer, 'askedAt' | 'sendings'> & { provider: string | null },
  other: Pick<AttemptedTransfer, 'askedAt' | 'sendings'> & { provider: string | null },
): boolean =>
  one.provider === other.provider &&
  one.sendings === other.sendings &&
  one.askedAt?.getTime() === other.askedAt?.getTime();

/** True unless it is another amount or currency than was to be sent that has arrived: then a person has to look at it. */
export const isWhole = (
  arrived: Pick<ArrivedTransfer, 'amountMinor' | 'currency'>,
  transfer: Pick<AttemptedTransfer, 'amountMinor' | 'currency'>,
): boolean =>
  arrived.amountMinor === transfer.amountMinor &&
  (arrived.currency ?? transfer.currency) === transfer.currency;

/**
 * Refuses with CANNOT_SETTLE to settle by a transfer of another amount, unless a person names that transfer as the one that
 * paid it, since the comparison with the provider shows the rest; and by one in another currency.
 */
export function requireNamed(
  arrived: ArrivedTransfer,
  { amountMinor, currency, name }: Pick<AttemptedTransfer, 'amountMinor' | 'currency' | 'name'>,
  reference: string | null,
): void {
  const { provider, transferId } = arrived;
  if (arrived.currency !== undefined && arrived.currency !== currency)
    throw refusal(
      'CANNOT_SETTLE',
      `${provider} has sent this ${name} in ${arrived.currency}, as ${transferId}. Take it back there first.`,
    );
  if (arrived.amountMinor === amountMinor || reference === transferId) return;
  throw refusal(
    'CANNOT_SETTLE',
    `${provider} has sent ${amountInWords(arrived.amountMinor, currency)} of this ${name}. Give ${transferId} as the reference to complete it by that transfer.`,
  );
}

/** The unproven attempts once the last one has ended unsent, by what a look-up said of it. */
export const unprovenAfter = (
  {
    askedAt,
    askedProvider,
    sendings,
    unproven,
  }: Omit<AttemptedTransfer, 'name' | 'amountMinor' | 'currency'>,
  fate: Fate,
): UnprovenAttempt[] =>
  askedAt === null || askedProvider === null || fate === 'REFUSED' || fate === 'TAKEN_BACK'
    ? [...unproven]
    : [...unproven, { attempt: sendings, provider: askedProvider }];

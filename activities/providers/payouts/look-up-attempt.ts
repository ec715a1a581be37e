import {
  fateOfUnknown,
  type Fate,
  type TransferState,
} from '../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import { amountInWords } from '../../../workflows/commerce/money.rules';
import { BY_HAND, transferKey } from '../../../workflows/commerce/payout/transfer-out.rules';
import { refusal } from '../../../workflows/errors';
import type { Payouts } from '.';
import type { PayoutProvider, TransferFate, WhyNot } from './port';

/** Money that is paid out, as far as its attempts at providers depend on it. */
export interface AttemptedTransfer {
  id: string;
  /** The last time its provider was asked for the last attempt; null: it was not, or the outcome is certain. */
  askedAt: Date | null;
  /** The provider that was asked last, whatever became of it; null: none ever was. */
  askedProvider: string | null;
  /** The number of the last attempt. */
  sendings: number;
  amountMinor: number;
  currency: string;
  /** As people name it: "withdrawal", "payout". */
  name: string;
}

/** A transfer by which a provider has sent money. */
export interface ArrivedTransfer {
  provider: string;
  transferId: string;
  amountMinor: number;
  /** Left out where it can be no other than was asked for. */
  currency?: string;
}

/** The result of a look-up. */
export type FoundAttempt =
  | { fate: 'SENT'; arrived: ArrivedTransfer }
  | { fate: 'REFUSED'; reason: string; why: WhyNot }
  | { fate: Exclude<Fate, 'SENT' | 'REFUSED'>; why: WhyNot; cause?: unknown };

/** The refusal to do otherwise. */
export const refusedFor = ({ code, message }: WhyNot): Error => refusal(code, message);

type Ask = (answer: Promise<TransferFate | null>) => Promise<TransferFate | null>;

/**
 * Looks up at its provider whether an attempt was carried out: the one whose outcome is unknown, or, where there is none, all earlier
 * ones, since a provider may carry out what it had refused. `ask` waits for an answer. Throws nothing that a provider throws.
 */
export async function lookUpAttempt(
  { providers }: Pick<Payouts, 'providers'>,
  transfer: AttemptedTransfer,
  at: Date,
  ask: Ask = (answer) => answer,
): Promise<FoundAttempt> {
  const { id, askedAt, askedProvider, sendings, name } = transfer;
  const provider = askedProvider === null ? undefined : providers.get(askedProvider);
  try {
    if (askedAt === null) {
      for (let attempt = sendings; provider && attempt > 0; attempt--) {
        const fate = await ask(provider.lookUpTransfer(transferKey(id, attempt)));
        if (fate !== null && fate.status !== 'refused')
          return foundOf(provider, fate, { name, sinceAskedMs: 0 });
      }
      const why = { code: 'CANNOT_SETTLE', message: `No provider was asked to send this ${name}.` } as const;
      return { fate: 'NOT_ASKED', why };
    }
    if (!provider)
      return {
        fate: 'UNREACHABLE',
        why: {
          code: 'CANNOT_SETTLE',
          message: `${askedProvider ?? 'A provider'} was asked to send this ${name}, and is not set up here any more. Set its keys again, so that it can say what became of it.`,
        },
      };
    const fate = await ask(provider.lookUpTransfer(transferKey(id, sendings)));
    return foundOf(provider, fate, { name, sinceAskedMs: at.getTime() - askedAt.getTime() });
  } catch (cause) {
    const why = {
      code: 'CANNOT_SETTLE',
      message: `${askedProvider ?? 'A provider'} cannot say now whether it has already sent this ${name}. Try again later.`,
    } as const;
    return { fate: 'UNREACHABLE', why, cause };
  }
}

const arrivedThrough = (
  { code }: PayoutProvider,
  { transferId, amountMinor, currency }: Extract<TransferFate, { status: 'arrived' }>,
): ArrivedTransfer => ({
  ...{ provider: code, transferId, amountMinor },
  ...(currency !== undefined && { currency }),
});

function foundOf(
  provider: PayoutProvider,
  fate: TransferFate | null,
  { name, sinceAskedMs }: { name: string; sinceAskedMs: number },
): FoundAttempt {
  const { code } = provider;
  const notSent = {
    code: 'CANNOT_SETTLE',
    message: `${code} has not sent this ${name}. Abandon the operation first: a person can send it then.`,
  } as const;
  switch (fate?.status) {
    case 'arrived':
      return { fate: 'SENT', arrived: arrivedThrough(provider, fate) };
    case 'refused':
      return { fate: 'REFUSED', reason: fate.reason, why: notSent };
    case 'under way':
      return {
        fate: 'UNDER_WAY',
        why: fate.endedBy ?? {
          code: 'CANNOT_SETTLE',
          message: `${code} may still send this ${name}. Cancel it there first.`,
        },
      };
    case undefined: {
      const unknown = fateOfUnknown(sinceAskedMs, provider);
      const why = {
        TOO_EARLY: {
          code: 'CANNOT_SETTLE',
          message: `${code} was asked for this ${name} only just now, and may still send it. Try again later.`,
        } as const,
        NOT_FOUND: notSent,
        FORGOTTEN: {
          code: 'CANNOT_SETTLE',
          message: `${code} was asked for this ${name} so long ago that it cannot say any more whether it has sent it. Settle it by what its statement says.`,
        } as const,
      }[unknown];
      return { fate: unknown, why };
    }
  }
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

import {
  fateOfUnknown,
  type Certainty,
  type Fate,
} from '../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import { transferKey, type UnprovenAttempt } from '../../../workflows/commerce/payout/transfer-out.rules';
import { refusal } from '../../../workflows/errors';
import type { ArrivedTransfer, AttemptedTransfer } from './attempted-transfer';
import { CERTAIN_AFTER_MS, type PayoutProvider, type TransferFate, type WhyNot } from './port';

/** The result of a look-up. */
export type FoundAttempt =
  | { fate: 'SENT'; arrived: ArrivedTransfer }
  | { fate: 'REFUSED'; reason: string; why: WhyNot }
  | { fate: Exclude<Fate, 'SENT' | 'REFUSED'>; why: WhyNot; cause?: unknown };

/** The refusal to do otherwise. */
export const refusedFor = ({ code, message }: WhyNot): Error => refusal(code, message);

/** The words for a person who may not settle a transfer. */
export const whyNotSettled = (
  { provider, name }: { provider: string | null; name: string },
  found: FoundAttempt,
): WhyNot =>
  found.fate === 'SENT' || found.fate === 'NOT_ASKED'
    ? {
        code: 'CANNOT_SETTLE',
        message: `Abandon the operation first: ${provider ?? 'its provider'} is still trying to send this ${name}.`,
      }
    : found.why;

type Ask = (answer: Promise<TransferFate | null>) => Promise<TransferFate | null>;
type LookedUpProvider = Pick<PayoutProvider, 'code' | 'lookUpTransfer' | keyof Certainty>;

/** The providers that can be asked, by code, and the codes of those that are gone for good. */
export interface Reached {
  providers: ReadonlyMap<string, LookedUpProvider>;
  retired?: ReadonlySet<string>;
}

/**
 * Looks up at its provider whether an attempt was carried out: the one whose outcome is unknown, or, where there is none, those that
 * ended without the word of their provider; what a provider has refused is certain. `ask` waits for an answer. Throws nothing
 * that a provider throws.
 */
export async function lookUpAttempt(
  payouts: Reached,
  transfer: AttemptedTransfer,
  at: Date,
  ask: Ask = (answer) => answer,
): Promise<FoundAttempt> {
  const { id, askedAt, askedProvider, sendings, name, unproven } = transfer;
  if (askedAt === null || askedProvider === null) return lookUpUnproven(payouts, { id, name, unproven }, ask);
  const provider = payouts.providers.get(askedProvider);
  const sinceAskedMs = at.getTime() - askedAt.getTime();
  if (!provider)
    return payouts.retired?.has(askedProvider)
      ? unknownToRetired(askedProvider, { name, sinceAskedMs })
      : notSetUp(askedProvider, name);
  try {
    const fate = await ask(provider.lookUpTransfer(transferKey(id, sendings)));
    return foundOf(provider, fate, { name, sinceAskedMs });
  } catch (cause) {
    return unreachable(askedProvider, name, cause);
  }
}

/**
 * Looks up the unproven attempts, all at once, since slow providers would take longer one after another than the step may. One that
 * has arrived counts before any other; else the last of those that may still arrive.
 */
async function lookUpUnproven(
  reached: Reached,
  { id, name, unproven }: Pick<AttemptedTransfer, 'id' | 'name' | 'unproven'>,
  ask: Ask,
): Promise<FoundAttempt> {
  const all = await Promise.all(
    [...unproven].reverse().map((one) => lookUpOneUnproven(reached, { ...one, id, name }, ask)),
  );
  const open = all.filter((found) => found !== null);
  return (
    open.find(({ fate }) => fate === 'SENT') ??
    open[0] ?? {
      fate: 'NOT_ASKED',
      why: { code: 'CANNOT_SETTLE', message: `No provider was asked to send this ${name}.` },
    }
  );
}

/** Null: it certainly was not carried out, or nothing is learnt of it any more, since its provider is retired. */
async function lookUpOneUnproven(
  { providers, retired }: Reached,
  { id, name, attempt, provider: code }: UnprovenAttempt & Pick<AttemptedTransfer, 'id' | 'name'>,
  ask: Ask,
): Promise<FoundAttempt | null> {
  const provider = providers.get(code);
  if (!provider) return retired?.has(code) ? null : notSetUp(code, name);
  try {
    const fate = await ask(provider.lookUpTransfer(transferKey(id, attempt)));
    return fate === null || fate.status === 'refused'
      ? null
      : foundOf(provider, fate, { name, sinceAskedMs: 0 });
  } catch (cause) {
    return unreachable(code, name, cause);
  }
}

const notSetUp = (code: string, name: string): FoundAttempt => ({
  fate: 'UNREACHABLE',
  why: {
    code: 'CANNOT_SETTLE',
    message: `${code} was asked to send this ${name}, and is not set up here any more. Set its keys again, so that it can say what became of it; if it is gone for good, name it in PROVIDERS_RETIRED.`,
  },
});

const unreachable = (code: string, name: string, cause: unknown): FoundAttempt => ({
  fate: 'UNREACHABLE',
  why: {
    code: 'CANNOT_SETTLE',
    message: `${code} cannot say now whether it has already sent this ${name}. Try again later.`,
  },
  cause,
});

type Asked = Pick<AttemptedTransfer, 'name'> & { sinceAskedMs: number };

const tooEarly = (code: string, name: string): WhyNot => ({
  code: 'CANNOT_SETTLE',
  message: `${code} was asked for this ${name} only just now, and may still send it. Try again later.`,
});

/** The provider is gone for good: as one that has forgotten everything, once no call can be on its way any more. */
const unknownToRetired = (code: string, { name, sinceAskedMs }: Asked): FoundAttempt =>
  sinceAskedMs < CERTAIN_AFTER_MS
    ? { fate: 'TOO_EARLY', why: tooEarly(code, name) }
    : {
        fate: 'FORGOTTEN',
        why: {
          code: 'CANNOT_SETTLE',
          message: `${code} was asked for this ${name} and is retired, so it cannot say any more whether it has sent it. Settle it by what its statement says.`,
        },
      };

const arrivedThrough = (
  { code }: Pick<PayoutProvider, 'code'>,
  { status: _, ...arrived }: Extract<TransferFate, { status: 'arrived' }>,
): ArrivedTransfer => ({ provider: code, ...arrived });

function foundOf(
  provider: LookedUpProvider,
  fate: TransferFate | null,
  { name, sinceAskedMs }: Asked,
): FoundAttempt {
  const { code } = provider;
  const notSent: WhyNot = {
    code: 'CANNOT_SETTLE',
    message: `${code} has not sent this ${name}. Abandon the operation first: a person can send it then.`,
  };
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
      const words: Record<typeof unknown, WhyNot> = {
        TOO_EARLY: tooEarly(code, name),
        NOT_FOUND: notSent,
        FORGOTTEN: {
          code: 'CANNOT_SETTLE',
          message: `${code} was asked for this ${name} so long ago that it cannot say any more whether it has sent it. Settle it by what its statement says.`,
        },
      };
      return { fate: unknown, why: words[unknown] };
    }
  }
}

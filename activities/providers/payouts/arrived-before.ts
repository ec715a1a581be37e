import { amountInWords } from '../../../workflows/commerce/money.rules';
import { transferKey } from '../../../workflows/commerce/payout/transfer-out.rules';
import type { Tx } from '../../../db/sql/query';
import { refusal, refusalIn } from '../../../workflows/errors';
import { whilePersonWaits } from '../while-person-waits';
import type { Payouts } from '.';
import type { PayoutProvider, TransferFate } from './port';

/** Money whose transfer a provider was asked for, and whose outcome is not known. */
export interface AskedTransfer {
  id: string;
  /** Null: no provider was asked. */
  askedAt: Date | null;
  /** Null: not known, so that each of them is asked. */
  askedProvider: string | null;
  sendings: number;
  amountMinor: number;
  currency: string;
  /** As people name it: "withdrawal", "payout". */
  name: string;
}

/** A transfer by which a provider has sent money. */
export interface ArrivedBefore {
  provider: string;
  transferId: string;
  /** Another amount than was to be sent; null: that amount. */
  otherMinor: number | null;
}

/**
 * The transfer by which a provider has sent money that was left to a person without a known outcome; null: none has.
 * Refused with CANNOT_SETTLE while the provider that was asked cannot say, and for a refusal by our bank while it has the
 * transfer under way and cannot take it back: its owner would get money back that may still arrive.
 * Chosen: one that is under way does not hinder a person who has sent it, and so has given its provider up.
 */
export async function arrivedBefore(
  { providers }: Pick<Payouts, 'providers'>,
  transfer: AskedTransfer,
  outcome: 'DONE' | 'REFUSED',
): Promise<ArrivedBefore | null> {
  const { id, askedAt, sendings, amountMinor: dueMinor, currency, name } = transfer;
  if (askedAt === null) return null;
  for (const provider of askedOf(providers, transfer)) {
    const fate = await fateNow(provider, transferKey(id, sendings), name);
    if (fate?.status === 'under way' && outcome === 'REFUSED' && !provider.takeBack)
      throw refusal(
        'CANNOT_SETTLE',
        `${provider.code} may still send this ${name}, so its money cannot go back. Cancel it there first.`,
      );
    if (fate?.status !== 'arrived') continue;
    const { transferId, amountMinor } = fate;
    if (fate.currency !== undefined && fate.currency !== currency)
      throw refusal(
        'CANNOT_SETTLE',
        `${provider.code} has sent this ${name} in ${fate.currency}, as ${transferId}. Take it back there first.`,
      );
    return { provider: provider.code, transferId, otherMinor: amountMinor === dueMinor ? null : amountMinor };
  }
  return null;
}

/** The providers that may know of a transfer. Refused with CANNOT_SETTLE when the one that was asked is not set up. */
function askedOf(
  providers: Payouts['providers'],
  { askedProvider, name }: AskedTransfer,
): Iterable<PayoutProvider> {
  if (askedProvider === null) return providers.values();
  const asked = providers.get(askedProvider);
  if (!asked)
    throw refusal(
      'CANNOT_SETTLE',
      `${askedProvider} was asked to send this ${name}, and is not set up here any more. Set its keys again, so that it can say what became of it.`,
    );
  return [asked];
}

/**
 * Refuses with CANNOT_SETTLE to settle by a transfer of another amount, unless a person names that transfer as the one that
 * paid it: the comparison with the provider shows the rest.
 */
export function requireNamed(
  { provider, transferId, otherMinor }: ArrivedBefore,
  { currency, name }: Pick<AskedTransfer, 'currency' | 'name'>,
  reference: string | null,
): void {
  if (otherMinor === null || reference === transferId) return;
  throw refusal(
    'CANNOT_SETTLE',
    `${provider} has sent ${amountInWords(otherMinor, currency)} of this ${name}. Give ${transferId} as the reference to complete it by that transfer.`,
  );
}

/** The end that a person reports, or the provider whose transfer has arrived. */
type SettledBy = { outcome: 'DONE' | 'REFUSED' } | { arrivedThrough: string };

/**
 * Takes back what providers have not begun to send of money that is settled, in the same transaction, so that it is not sent a
 * second time. True if the transfer is refused for certain under its key. Refused with CANNOT_SETTLE while a provider that
 * takes transfers back may carry it out.
 */
export async function takeBackUnsent(
  tx: Tx,
  { providers }: Pick<Payouts, 'providers'>,
  { id, askedAt, sendings }: Pick<AskedTransfer, 'id' | 'askedAt' | 'sendings'>,
  settled: SettledBy & { at: Date },
): Promise<boolean> {
  if (askedAt === null) return false;
  const [key, reason, arrivedThrough] = [transferKey(id, sendings), reasonOf(settled), codeIn(settled)];
  let isRefused = false;
  for (const { code, takeBack } of providers.values())
    if (takeBack && code !== arrivedThrough)
      isRefused = (await takeBack(tx, { key, reason, at: settled.at })) || isRefused;
  return isRefused;
}

/**
 * Takes back what providers have not begun to send of money that is to be left to a person, in the same transaction, so that
 * a provider does not send it while the person does. False while a provider that takes transfers back may carry it out, or
 * has: the money stays with it then.
 */
export async function takeBackForPerson(
  tx: Tx,
  { providers }: Pick<Payouts, 'providers'>,
  { id, askedAt, sendings }: Pick<AskedTransfer, 'id' | 'askedAt' | 'sendings'>,
  at: Date,
): Promise<boolean> {
  if (askedAt === null) return true;
  const transfer = { key: transferKey(id, sendings), reason: 'It was left to a person.', at };
  try {
    for (const { takeBack } of providers.values()) await takeBack?.(tx, transfer);
    return true;
  } catch (error) {
    if (refusalIn(error)?.code !== 'CANNOT_SETTLE') throw error;
    return false;
  }
}

const codeIn = (settled: SettledBy): string | null =>
  'arrivedThrough' in settled ? settled.arrivedThrough : null;

function reasonOf(settled: SettledBy): string {
  if ('arrivedThrough' in settled) return `It has arrived through ${settled.arrivedThrough}.`;
  return settled.outcome === 'DONE' ? 'It was sent by hand.' : 'It was refused by hand.';
}

/** The fate of a transfer, asked for while a person waits. Refused with CANNOT_SETTLE when its provider cannot say. */
async function fateNow(provider: PayoutProvider, key: string, name: string): Promise<TransferFate | null> {
  try {
    return await whilePersonWaits(provider.lookUpTransfer(key));
  } catch {
    throw refusal(
      'CANNOT_SETTLE',
      `${provider.code} cannot say now whether it has already sent this ${name}. Try again later.`,
    );
  }
}

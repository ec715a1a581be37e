import { transferKey } from '../../../workflows/commerce/payout/transfer-out.rules';
import type { Destination } from '../../../workflows/commerce/payout/destination.rules';
import { transferMove } from '../../../workflows/commerce/payout/transfer/transfer-moves.rules';
import type { Payouts } from '.';
import { isWhole, type ArrivedTransfer, type AttemptedTransfer } from './attempted-transfer';
import { lookUpAttempt } from './look-up-attempt';
import { CALL_BEGINS_WITHIN_MS, type TransferRefused } from './port';

/**
 * The time of a call that a step makes now. `at` is the time at which its process began the step, and its last try may be half
 * an hour later: a look-up must not take a call of seconds ago for an old one.
 */
export const notBefore = (at: string): Date => new Date(Math.max(Date.parse(at), Date.now()));

/** Money to send, with what is known of earlier tries. */
export interface OutgoingTransfer extends AttemptedTransfer {
  provider: string;
}

/** A request to the provider that is recorded already. */
export interface TransferToAsk {
  sendings: number;
  destination: Destination;
}

/** The fate of money that was sent, or looked up. */
export type SentOut = ({ status: 'arrived' } & ArrivedTransfer) | TransferRefused | { status: 'under way' };

/**
 * Sends money, once, and returns its fate. What may have been sent before is looked up first; a provider that does not know
 * its key gets it under the same key again, unless it may have forgotten it. `begin` commits that the provider is asked, and opens the
 * destination; null: there is nothing to send any more; STOPPED: nothing may be sent now. Throws where a person has to look
 * at it: the provider cannot say, or has sent another amount.
 */
export async function sendOut(
  payouts: Pick<Payouts, 'providers' | 'retired'>,
  transfer: OutgoingTransfer,
  begin: () => Promise<TransferToAsk | 'STOPPED' | null>,
  at: Date,
): Promise<SentOut | 'STOPPED' | null> {
  const provider = payouts.providers.get(transfer.provider);
  if (!provider) throw new Error(`There is no payout provider ${transfer.provider}.`);
  const known = await fateNow(payouts, transfer, at);
  if (known !== null) return known;
  const begunAt = Date.now();
  const asked = await begin();
  if (asked === null || asked === 'STOPPED') return asked;
  const { id, amountMinor, currency } = transfer;
  const { sendings, destination } = asked;
  const order = { key: transferKey(id, sendings), amountMinor, currency, destination };
  // The last thing before the call: a worker that stood still meanwhile would call after a look-up has found for certain that nothing came.
  if (Date.now() - begunAt > CALL_BEGINS_WITHIN_MS)
    throw new Error(
      `The request for transfer ${order.key} is too old to be sent. It is looked up, and asked for again.`,
    );
  const answer = await provider.sendTransfer(order);
  if (answer.status === 'refused') return answer;
  const inquiry = { ...transfer, sendings, askedAt: at, askedProvider: provider.code };
  return (await fateNow(payouts, inquiry, at)) ?? { status: 'under way' };
}

/** The fate of a transfer as its provider says it; null: it is to be sent, for the first time or again under the same key. */
async function fateNow(
  payouts: Pick<Payouts, 'providers' | 'retired'>,
  transfer: AttemptedTransfer,
  at: Date,
): Promise<SentOut | null> {
  const found = await lookUpAttempt(payouts, transfer, at);
  const to = transferMove('SEND', transfer.askedAt === null ? 'DUE' : 'ASKED', found.fate);
  if (to === 'ASKED') return null;
  if (found.fate === 'SENT') return whole(found.arrived, transfer);
  if (found.fate === 'REFUSED') return { status: 'refused', reason: found.reason };
  if (found.fate === 'UNDER_WAY') return { status: 'under way' };
  // The provider's own error says more to an operator than our words.
  throw found.cause instanceof Error ? found.cause : new Error(found.why.message, { cause: found.cause });
}

/** Throws when another amount or currency arrived than was to be sent: a person has to look at it. */
function whole(arrived: ArrivedTransfer, transfer: AttemptedTransfer): SentOut {
  if (isWhole(arrived, transfer)) return { ...arrived, status: 'arrived' };
  const { amountMinor, currency = transfer.currency } = arrived;
  const { id } = transfer;
  if (currency !== transfer.currency)
    throw new Error(`${currency} arrived of transfer ${id}, which is of ${transfer.currency}.`);
  throw new Error(`${amountMinor} arrived of transfer ${id}, which is of ${transfer.amountMinor}.`);
}

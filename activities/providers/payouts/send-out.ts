import { transferKey } from '../../../workflows/commerce/payout/transfer-out.rules';
import type { Destination } from '../../../workflows/commerce/payout/destination.rules';
import type { Payouts } from '.';
import type { PayoutProvider, TransferFate } from './port';

/** Money to send, with what is known of earlier tries. */
export interface OutgoingTransfer {
  /** The id of what is paid out. */
  id: string;
  provider: string;
  amountMinor: number;
  currency: string;
  sendings: number;
  askedAt: Date | null;
  /** The provider that was asked; it may be another than the one that sends it now. */
  askedProvider: string | null;
}

/** A request to the provider that is recorded already. */
export interface TransferToAsk {
  sendings: number;
  destination: Destination;
}

/**
 * Sends money, once, and answers its fate. What may have been sent before is looked up first; a provider that does not know
 * its key gets it under the same key again. `begin` commits that the provider is asked, and opens the destination; null:
 * there is nothing to send any more; STOPPED: nothing may be sent now.
 */
export async function sendOut(
  { providers }: Pick<Payouts, 'providers'>,
  transfer: OutgoingTransfer,
  begin: () => Promise<TransferToAsk | 'STOPPED' | null>,
): Promise<TransferFate | 'STOPPED' | null> {
  const provider = providerOf(providers, transfer.provider);
  await requireUnsentByAnother(providers, transfer);
  const known = transfer.askedAt === null ? null : await lookUp(provider, transfer, transfer.sendings);
  if (known !== null) return known;
  const asked = await begin();
  if (asked === null || asked === 'STOPPED') return asked;
  const { id, amountMinor, currency } = transfer;
  const { sendings, destination } = asked;
  const answer = await provider.sendTransfer({
    key: transferKey(id, sendings),
    amountMinor,
    currency,
    destination,
  });
  if (answer.status === 'refused') return answer;
  return (await lookUp(provider, transfer, sendings)) ?? { status: 'under way' };
}

function providerOf(providers: Payouts['providers'], code: string): PayoutProvider {
  const provider = providers.get(code);
  if (!provider) throw new Error(`There is no payout provider ${code}.`);
  return provider;
}

/** Throws where another provider was asked before, and has sent the money or may still do so: a person has to look at it. */
async function requireUnsentByAnother(
  providers: Payouts['providers'],
  transfer: OutgoingTransfer,
): Promise<void> {
  const { askedProvider, provider, sendings } = transfer;
  if (askedProvider === null || askedProvider === provider) return;
  const fate = await lookUp(providerOf(providers, askedProvider), transfer, sendings);
  if (fate !== null && fate.status !== 'refused')
    throw new Error(`${askedProvider} was asked before, and its transfer is ${fate.status}.`);
}

/** Looks a transfer up. Throws when another amount or currency arrived than was to be sent: a person has to look at it. */
async function lookUp(
  provider: PayoutProvider,
  { id, amountMinor, currency }: OutgoingTransfer,
  sendings: number,
): Promise<TransferFate | null> {
  const fate = await provider.lookUpTransfer(transferKey(id, sendings));
  if (fate?.status !== 'arrived') return fate;
  if (fate.amountMinor !== amountMinor)
    throw new Error(`${fate.amountMinor} arrived of transfer ${id}, which is of ${amountMinor}.`);
  if (fate.currency !== undefined && fate.currency !== currency)
    throw new Error(`${fate.currency} arrived of transfer ${id}, which is of ${currency}.`);
  return fate;
}

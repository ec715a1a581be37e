import { z } from 'zod';
import { PROVIDER_CALL_MS } from '../../../../workflows/kit/limits/provider-times';
import {
  CERTAIN_AFTER_MS,
  type PayoutProvider,
  type TransferFate,
  type TransferOrder,
  type TransferRefused,
} from '../../payouts/port';
import { connectStripe, type StripeClient, type StripeSettings } from './client';
import { hasOurUnits } from './currencies';
import { STRIPE_TRANSFER } from './message';

/** Sending is two calls, which together keep the port's time. */
const ONE_CALL = { timeout: PROVIDER_CALL_MS / 2 };

/** The id of a connected account, which a person has as an e-wallet. */
const ACCOUNT = /^acct_\w{1,60}$/;

/** The fields that are read of a transfer. Data of another company is checked like anything from outside. */
const StripeTransfer = z.object({
  id: z.string().min(1).max(255),
  amount: z.number().int().positive(),
  amount_reversed: z.number().int().nonnegative(),
  currency: z.string().transform((currency) => currency.toUpperCase()),
  metadata: z.record(z.string(), z.string()),
});
type StripeTransfer = z.output<typeof StripeTransfer>;

/**
 * Stripe Connect: money goes from our balance to the connected account of a person, whose id is their e-wallet
 * (`acct_…`). It has arrived when it is there: Stripe pays it out to the person's bank by the schedule of that account, by
 * default each day. A person sends the money to cards and bank accounts; an e-wallet of another company is refused for certain.
 *
 * Our key is Stripe's idempotency key, which Stripe forgets after a day, and the transfer's group and metadata, which it stores:
 * transfers are looked up by these, also before one is sent again.
 */
export function stripePayouts(settings: Pick<StripeSettings, 'secretKey' | 'apiBase'>): PayoutProvider {
  let connected: Promise<StripeClient> | undefined;
  const client = (): Promise<StripeClient> => (connected ??= connectStripe(settings));
  return {
    code: 'stripe',
    methods: ['EWALLET'],
    certainAfterMs: CERTAIN_AFTER_MS,
    // Its transfers are listed for good.
    remembersForMs: null,
    sendTransfer: async (order) => send(await client(), order),
    async lookUpTransfer(key) {
      const transfers = await find(await client(), key);
      return transfers.length === 0 ? null : fateOf(transfers);
    },
  };
}

async function send(
  stripe: StripeClient,
  order: TransferOrder,
): Promise<{ status: 'accepted' } | TransferRefused> {
  const known = await find(stripe, order.key);
  if (known.length > 0) return answerTo(order, known);
  const destination = accountOf(order);
  if (destination === null) return refused('Stripe sends money to connected accounts (acct_…) only.');
  if (!hasOurUnits(order.currency))
    return refused(`Transfers in ${order.currency} are not sent through Stripe.`);
  const { key, amountMinor: amount, currency } = order;
  try {
    await stripe.transfers.create(
      {
        amount,
        currency: currency.toLowerCase(),
        destination,
        transfer_group: key,
        metadata: { [STRIPE_TRANSFER]: key },
      },
      { ...ONE_CALL, idempotencyKey: key },
    );
    return { status: 'accepted' };
  } catch (error) {
    const reason = certainRefusal(error);
    if (reason === null) throw withoutWords(error);
    return refused(reason);
  }
}

/** The transfers under a key; more than one only if somebody made another in Stripe's dashboard. */
async function find(stripe: StripeClient, key: string): Promise<StripeTransfer[]> {
  const { data } = await stripe.transfers.list({ transfer_group: key, limit: 100 }, ONE_CALL);
  return data
    .map((found) => StripeTransfer.parse(found))
    .filter(({ metadata }) => metadata[STRIPE_TRANSFER] === key);
}

/** The sum that the person has of all of them. If it was all taken back, they are refused: nothing is with the person. */
function fateOf(transfers: readonly StripeTransfer[]): TransferFate {
  const left = transfers.filter(({ amount, amount_reversed: reversed }) => amount > reversed);
  const [first] = left;
  if (!first) return refused(`${transfers[0]?.id ?? 'The transfer'} was reversed.`);
  const { id: transferId, currency } = first;
  if (left.some((one) => one.currency !== currency))
    throw new Error(`The transfers with ${transferId} are of several currencies.`);
  const amountMinor = left.reduce((sum, { amount, amount_reversed: reversed }) => sum + amount - reversed, 0);
  return { status: 'arrived', transferId, amountMinor, currency };
}

/** The answer to a transfer that is sent again. Throws when its key is of another one. */
function answerTo(
  { key, amountMinor, currency }: TransferOrder,
  known: readonly StripeTransfer[],
): { status: 'accepted' } | TransferRefused {
  if (known.some((one) => one.amount !== amountMinor || one.currency !== currency))
    throw new Error(`The key ${key} is of another transfer.`);
  const fate = fateOf(known);
  return fate.status === 'refused' ? fate : { status: 'accepted' };
}

function accountOf({ destination }: TransferOrder): string | null {
  if (destination.method !== 'EWALLET') return null;
  return ACCOUNT.test(destination.walletId) ? destination.walletId : null;
}

const refused = (reason: string): TransferRefused => ({ status: 'refused', reason });

/** Errors by which Stripe refuses a request that it understood: invalid, no such account, or not covered by our balance. */
const REFUSALS: readonly unknown[] = ['StripeInvalidRequestError', 'StripeCardError'];

/**
 * The reason of a refusal that is certain, by Stripe's code: its words may name the account. Null for every other error: also
 * for a key that is in use or was used for another transfer, since there is, or may be, a transfer under it.
 */
function certainRefusal(error: unknown): string | null {
  if (!(error instanceof Error) || !('type' in error) || !REFUSALS.includes(error.type)) return null;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'no code given';
  return `Stripe refused it: ${code}.`;
}

/** An error of Stripe's for histories, logs and the operators' list: without its words, which may name the account. */
function withoutWords(error: unknown): unknown {
  if (!(error instanceof Error) || !('type' in error)) return error;
  const known = ['type', 'statusCode', 'code', 'requestId'].flatMap((name) => {
    const value: unknown = Object.entries(error).find(([key]) => key === name)?.[1];
    return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  });
  return new Error(`Stripe did not say that it sends the money: ${known.join(', ')}.`);
}

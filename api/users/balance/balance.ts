import { z } from 'zod';
import { entriesOf } from '../../../db/ledger/ledger.reads';
import { walletOf } from '../../../db/ledger/wallet.reads';
import { PLATFORM_CURRENCY, toMajor } from '../../../workflows/commerce/money.rules';
import { endpoint } from '../../http/endpoint';
import { perMinute } from '../../http/limits/limits';
import { EntryView, entryView } from './entry.view';

/** Chosen: enough to look back; the export has all entries. */
const MOST_ENTRIES = 50;

export const showBalance = endpoint({
  id: 'getBalance',
  returns: 'The balance of each currency, and one page of entries',
  method: 'get',
  path: '/users/me/balance',
  summary: 'Show my wallet and its latest movements',
  description: `\`held\` is what orders that are not paid yet, and withdrawals that are not over, have taken out of it, and withdrawn investments that have not reached their card or bank yet. At most ${MOST_ENTRIES} movements, newest first; negative is money out.`,
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  success: 200,
  data: z
    .object({
      balances: z
        .array(
          z.object({
            currency: z.string().meta({ example: 'USD' }),
            available: z
              .number()
              .meta({ description: 'May be spent now, in units of the currency.', example: 120.5 }),
            held: z.number().meta({
              description: 'Set aside for orders and withdrawals under way, in units of the currency.',
              example: 0,
            }),
          }),
        )
        .describe('The balance of each currency.'),
      entries: z.array(EntryView).describe('One page of entries, newest first.'),
    })
    .meta({ id: 'WalletBalance' }),
  errors: {},

  async handle(_request, { caller, db }) {
    const wallets = await walletOf(db, caller.id);
    const entries = await entriesOf(db, caller.id, MOST_ENTRIES, 'wallet');
    // Chosen: a user who never had money sees an empty wallet rather than no wallet.
    if (wallets.length === 0) wallets.push({ currency: PLATFORM_CURRENCY, availableMinor: 0, heldMinor: 0 });
    return {
      balances: wallets.map(({ currency, availableMinor, heldMinor }) => ({
        currency,
        available: toMajor(availableMinor, currency),
        held: toMajor(heldMinor, currency),
      })),
      entries: entries.map(entryView),
    };
  },
});

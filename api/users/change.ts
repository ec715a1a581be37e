import { z } from 'zod';
import { freshSignInErrors, passwordInstead } from '../auth/fresh-sign-in';
import { endpoint } from '../http/endpoint';
import { perMinute } from '../http/limits/limits';
import { AccountView, accountView } from './account.view';
import { changeOwnPayoutDetails } from './change.command';
import { ownAccount } from './own-account';
import { PayoutDetails } from './payout-details';

export const changeMe = endpoint({
  id: 'updateAccount',
  returns: 'The account as it is now',
  method: 'patch',
  path: '/users/me',
  summary: 'Change where my payouts go',
  description:
    'What is left out stays; `payoutDetails: null` removes them. The owner is informed by email. The profile has its own endpoint. Requires a session that was opened or confirmed lately, or the password.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  body: z
    .object({
      payoutDetails: PayoutDetails.nullish().describe('Where money is sent to; null removes it.'),
      password: passwordInstead(),
    })
    .meta({
      id: 'AccountChange',
      example: {
        payoutDetails: {
          method: 'BANK_TRANSFER',
          accountHolder: 'Ada Lovelace',
          iban: 'DE89 3704 0044 0532 0130 00',
        },
      },
    }),
  success: 200,
  data: AccountView,
  errors: freshSignInErrors,

  async handle({ body: { payoutDetails, password } }, context) {
    if (payoutDetails !== undefined) await changeOwnPayoutDetails(context, payoutDetails, password);
    return accountView(await ownAccount(context));
  },
});

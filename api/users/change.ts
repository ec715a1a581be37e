import { z } from 'zod';
import { changePayoutDetails } from '../../db/identity/account.writes';
import { letter } from '../../db/administration/letter';
import { enqueueMail } from '../../db/administration/outbox.writes';
import { inTransaction } from '../../db/transaction';
import { endpoint } from '../http/endpoint';
import { perMinute } from '../http/limits';
import { AccountView, accountView } from './account.view';
import { ownAccount } from './own-account';
import { PayoutDetails, sealed } from './payout-details';

export const changeMe = endpoint({
  method: 'patch',
  path: '/users/me',
  summary: 'Change where my payouts go',
  description:
    'What is left out stays; `payoutDetails: null` takes them away. We tell the owner by mail. The profile has its own endpoint.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  body: z.object({ payoutDetails: PayoutDetails.nullish() }).meta({
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
  errors: {},

  async handle({ body: { payoutDetails: details } }, context) {
    const { caller, db, identity, request } = context;
    if (details !== undefined)
      await inTransaction(db, async (tx) => {
        await changePayoutDetails(tx, caller.id, details && sealed(details, caller.id, identity.sealing));
        await enqueueMail(tx, {
          reference: `user:${caller.id}:payout-details:${request.wishId}`,
          to: caller.email,
          ...letter({
            subject: 'Your payout details were changed',
            greeting: 'Hello,',
            paragraphs: [
              'Where your payouts go was just changed in your account.',
              'If that was not you, change your password at once and write to us.',
            ],
          }),
        });
      });
    return accountView(await ownAccount(context));
  },
});

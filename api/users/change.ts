import { z } from 'zod';
import { changePayoutDetails } from '../../db/identity/user/account.writes';
import { letter } from '../../db/administration/outbox/letter';
import { enqueueMail } from '../../db/administration/outbox/outbox.writes';
import { inTransaction } from '../../db/sql/transaction';
import { freshSignInErrors, passwordInstead, requireFreshSignIn } from '../auth/fresh-sign-in';
import { lockedCaller } from '../auth/two-factor/locked-caller';
import { endpoint, type Context } from '../http/endpoint';
import { perMinute } from '../http/limits/limits';
import { AccountView, accountView } from './account.view';
import { ownAccount } from './own-account';
import { PayoutDetails, sealed } from './payout-details';

export const changeMe = endpoint({
  method: 'patch',
  path: '/users/me',
  summary: 'Change where my payouts go',
  description:
    'What is left out stays; `payoutDetails: null` takes them away. We tell the owner by mail. The profile has its own endpoint. Needs a session that was opened or confirmed lately, or the password.',
  tag: 'Account',
  auth: 'user',
  limit: perMinute(100),

  body: z.object({ payoutDetails: PayoutDetails.nullish(), password: passwordInstead() }).meta({
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
    if (payoutDetails !== undefined) await changeIn(context, payoutDetails, password);
    return accountView(await ownAccount(context));
  },
});

async function changeIn(
  context: Context<'user'>,
  details: z.output<typeof PayoutDetails> | null,
  password: string | undefined,
): Promise<void> {
  const { caller, db, identity, request } = context;
  const proveFresh = await requireFreshSignIn(password, context);
  await inTransaction(db, async (tx) => {
    const user = await lockedCaller(tx, caller);
    await proveFresh(tx, user);
    await changePayoutDetails(tx, user.id, details && sealed(details, user.id, identity.sealing));
    await enqueueMail(tx, {
      reference: `user:${user.id}:payout-details:${request.idempotencyId}`,
      to: user.email,
      ...letter({
        subject: 'Your payout details were changed',
        greeting: `Hello ${user.firstName},`,
        paragraphs: [
          'Where your payouts go was just changed in your account.',
          'If that was not you, change your password at once and write to us.',
        ],
      }),
    });
  });
}

import type { z } from 'zod';
import { letter } from '../../db/administration/outbox/letter';
import { enqueueMail } from '../../db/administration/outbox/outbox.writes';
import { changePayoutDetails } from '../../db/identity/user/account.writes';
import { inTransaction } from '../../db/sql/transaction';
import { payoutDetailsChangedLetter } from '../../workflows/identity/user/payout-details.letters';
import { requireFreshSignIn } from '../auth/fresh-sign-in';
import { lockedCaller } from './locked-caller';
import type { Context } from '../http/handler-context';
import { sealed, type PayoutDetails } from './payout-details';

/**
 * Replaces the caller's payout details (null: removes them) and mails the owner. Refuses with REAUTHENTICATION_REQUIRED
 * and INVALID_PASSWORD.
 */
export async function changeOwnPayoutDetails(
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
      ...letter(payoutDetailsChangedLetter(user.firstName)),
    });
  });
}

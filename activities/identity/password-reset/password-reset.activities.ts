import { letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { mailedToken } from '../../../db/identity/mailed-token/mailed-token.reads';
import { issueToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import { lockAccount } from '../../../db/identity/registration/registration.transitions';
import { takePasswordResetRequest } from '../../../db/identity/password/password-reset-request.writes';
import { userByEmail } from '../../../db/identity/user/user.reads';
import type { Db, Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import type { PasswordResetActivities } from '../../../workflows/identity/password-reset/password-reset.contract';
import { RESET_LIFETIME_MS } from '../../../workflows/identity/registration/registration.rules';

/** One transaction, which may run any number of times. */
export const passwordResetActivities = ({ db }: { db: Db }): PasswordResetActivities => ({
  mailPasswordReset: ({ wishId, at }) =>
    inTransaction(db, async (tx) => {
      const wish = await takePasswordResetRequest(tx, wishId);
      const user = wish && (await userByEmail(tx, wish.region, wish.email));
      if (user) await mailTo(tx, user.id, wishId, new Date(at));
      // Taken before: the token tells what came of it.
      return (await mailedToken(tx, wishId)) ? 'MAILED' : 'NOBODY';
    }),
});

/**
 * Chosen: an account that never was verified gets no such mail, for its address may be a stranger's; nor does one that
 * is banned. One that is suspended does, and stays suspended.
 */
async function mailTo(tx: Tx, userId: string, tokenId: string, at: Date): Promise<void> {
  const account = await lockAccount(tx, userId);
  if (account?.status !== 'ACTIVE' && account?.status !== 'SUSPENDED') return;
  const lifetimeMs = RESET_LIFETIME_MS;
  const token = await issueToken(tx, { id: tokenId, userId, purpose: 'RESET_PASSWORD', lifetimeMs, at });
  await enqueueMail(tx, {
    reference: `reset-password:${tokenId}`,
    to: account.email,
    token,
    ...letter({
      subject: 'Choose a new password',
      greeting: `Hello ${account.firstName},`,
      paragraphs: [
        'Somebody asked for a new password for your account. This code lets you choose one. It is good for one hour and for one use.',
        'If it was not you, do nothing: your password stays as it is.',
      ],
      code: token,
    }),
  });
}

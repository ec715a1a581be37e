import { letter } from '../../../db/administration/outbox/letter';
import { enqueueMail } from '../../../db/administration/outbox/outbox.writes';
import { mailedToken } from '../../../db/identity/mailed-token/mailed-token.reads';
import { issueToken } from '../../../db/identity/mailed-token/mailed-token.writes';
import { takePasswordResetRequest } from '../../../db/identity/password/password-reset-request.writes';
import { lockAccount } from '../../../db/identity/registration/registration.transitions';
import { userByEmail } from '../../../db/identity/user/user.reads';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { resetLetter } from '../../../workflows/identity/password/password.letters';
import type { PasswordResetActivities } from '../../../workflows/identity/password-reset/password-reset.contract';
import { RESET_LIFETIME_MS } from '../../../workflows/identity/registration/registration.rules';
import type { DbDeps } from '../../steps';

/** Mails a token to the account that a reset request names, if there is one, in one repeatable transaction. */
export const mailPasswordReset = (
  { db }: DbDeps,
  { resetRequestId, at }: Parameters<PasswordResetActivities['mailPasswordReset']>[0],
): ReturnType<PasswordResetActivities['mailPasswordReset']> =>
  inTransaction(db, async (tx) => {
    const request = await takePasswordResetRequest(tx, resetRequestId);
    const user = request && (await userByEmail(tx, request.region, request.email));
    if (user) await issueAndMail(tx, user.id, resetRequestId, new Date(at));
    // In a repeat the request is gone; the token shows that its mail was queued.
    return (await mailedToken(tx, resetRequestId)) ? 'MAILED' : 'NOBODY';
  });

/**
 * Chosen: no such mail to an account that was never verified, since its address may be a stranger's, nor to a banned
 * one. A suspended account gets it and stays suspended.
 */
async function issueAndMail(tx: Tx, userId: string, tokenId: string, at: Date): Promise<void> {
  const account = await lockAccount(tx, userId);
  if (account?.status !== 'ACTIVE' && account?.status !== 'SUSPENDED') return;
  const lifetimeMs = RESET_LIFETIME_MS;
  const token = await issueToken(tx, { id: tokenId, userId, purpose: 'RESET_PASSWORD', lifetimeMs, at });
  const content = letter(resetLetter(account.firstName, token));
  await enqueueMail(tx, { reference: `reset-password:${tokenId}`, to: account.email, token, ...content });
}

import { openLoginChallenge } from '../../../db/identity/session/login-challenge.writes';
import type { TwoFactorMethod } from '../../../db/identity/second-factor/second-factor.reads';
import { lockUserForSignIn } from '../../../db/identity/user/user-lock.writes';
import type { SigningInUser } from '../../../db/identity/user/user.reads';
import { inTransaction } from '../../../db/sql/transaction';
import { newTempToken } from '../../http/auth/tokens/temp-token';
import type { Context } from '../../http/handler-context';
import { wrongCredentials } from '../own-password';
import { isUnchanged } from '../second-step';
import { destinationOf } from '../two-factor/codes/destination';
import { sendCode } from '../two-factor/codes/send-code';
import { requireActive } from './begin-session.command';

/** Answers a right password with a token for the second step, and sends a code if the method needs one. */
export async function askForSecondFactor(
  begun: SigningInUser,
  method: TwoFactorMethod,
  deviceFingerprint: string | null,
  { db, identity }: Context,
) {
  const { token, hash } = newTempToken();
  await inTransaction(db, async (tx) => {
    const user = await lockUserForSignIn(tx, begun.id);
    requireActive(user?.status ?? null);
    if (!user || !isUnchanged(begun, user)) throw wrongCredentials();
    await openLoginChallenge(tx, { tokenHash: hash, userId: user.id, deviceFingerprint });
    if (method === 'TOTP') return;
    // Without a number that is still theirs, people are left with their backup codes.
    const destination = destinationOf(user, method);
    if (destination !== null)
      await sendCode(tx, identity, user, { purpose: 'LOGIN', channel: method, destination, boundTo: hash });
  });
  return { requiresTwoFactor: true as const, tempToken: token, methods: [method] };
}

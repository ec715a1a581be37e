import { z } from 'zod';
import { presentedToken } from '../../../db/identity/mailed-token/mailed-token.reads';
import { passwordOwner, type PasswordOwner } from '../../../db/identity/password/password.reads';
import { refusal } from '../../../workflows/errors';
import {
  newPassword,
  requireMatching,
  requireStrong,
  requireUnused,
} from '../../http/auth/passwords/new-password';
import { endpoint } from '../../http/endpoint';
import type { Context } from '../../http/handler-context';
import { authPerHour } from '../../http/limits/limits';
import { mailedToken } from '../mailed-token.view';
import { resetPassword } from './replace-password.command';

const CHANGED = { message: 'Your password is changed. Sign in with the new one.' };

export const resetPasswordEndpoint = endpoint({
  id: 'resetPassword',
  returns: 'The password is changed; every session has ended',
  method: 'post',
  path: '/auth/reset-password',
  summary: 'Choose a new password with the token that was sent by email',
  description:
    'Ends every session of the account and signs nobody in: with two-factor sign-in, its code is still required to sign in.',
  tag: 'Authentication',
  auth: 'public',
  limit: authPerHour(3),

  body: z
    .object({
      token: mailedToken().describe('The token from the email; it works once.'),
      password: newPassword(),
      confirmPassword: z.string().max(128).describe('The new password again; must be equal.'),
    })
    .meta({ id: 'ResetPasswordRequest' }),
  example: { password: 'Umbrella-7-tango', confirmPassword: 'Umbrella-7-tango' },
  success: 200,
  data: z.object({ message: z.string() }).meta({ id: 'ResetPasswordResult' }),
  errors: {
    INVALID_TOKEN: 400,
    TOKEN_EXPIRED: 400,
    PASSWORD_MISMATCH: 400,
    PASSWORD_TOO_WEAK: 400,
    PASSWORD_RECENTLY_USED: 400,
  },

  async handle({ body }, context) {
    const { conclude, db, identity, recordSecurityEvent } = context;
    const { passwords } = identity;
    const { password } = body;
    requireMatching(body);
    const { owner, tokenId } = await ownerOf(body.token, db);
    requireStrong(password, owner);
    await requireUnused(passwords, password, owner);
    const change = { owner, newHash: await passwords.hash(password), at: new Date() };
    await resetPassword(db, tokenId, change, (tx) => conclude(tx, CHANGED));
    recordSecurityEvent({ event: 'password-reset', outcome: 'success', account: owner.id });
    return CHANGED;
  },
});

/** The account whose password the token may change. Using the token checks it again: two requests may present it. */
async function ownerOf(token: string, db: Context['db']): Promise<{ owner: PasswordOwner; tokenId: string }> {
  const presented = await presentedToken(db, 'RESET_PASSWORD', token);
  if (!presented || presented.superseded || presented.usedAt !== null) throw refusal('INVALID_TOKEN');
  if (presented.expiresAt <= new Date()) throw refusal('TOKEN_EXPIRED');
  const owner = await passwordOwner(db, presented.userId);
  if (!owner) throw refusal('INVALID_TOKEN');
  return { owner, tokenId: presented.id };
}

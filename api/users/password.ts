import { z } from 'zod';
import { passwordOwner, type PasswordOwner } from '../../db/identity/password/password.reads';
import { refusal } from '../../workflows/errors';
import { checkPassword, ownPassword } from '../auth/own-password';
import { changePassword } from '../auth/password/replace-password.command';
import {
  newPassword,
  requireMatching,
  requireStrong,
  requireUnused,
} from '../http/auth/passwords/new-password';
import { endpoint } from '../http/endpoint';
import type { Context } from '../http/handler-context';
import { authPerMinute, perMinute } from '../http/limits/limits';

export const changeMyPassword = endpoint({
  id: 'changePassword',
  returns: 'The password is changed; the other sessions have ended',
  method: 'post',
  path: '/users/me/password',
  summary: 'Change your password',
  // Chosen: wrong current passwords count as failed logins, so that nobody can guess in an open browser.
  description: 'Ends your other sessions; this one goes on.',
  tag: 'Account',
  auth: 'user',
  // Each call may cost seven password checks.
  limit: { ...perMinute(100), also: authPerMinute(5) },
  idempotent: false,

  body: z
    .object({
      currentPassword: ownPassword().describe('The password as it is now.'),
      password: newPassword(),
      confirmPassword: z.string().max(128).describe('The new password again; must be equal.'),
    })
    .meta({ id: 'ChangePasswordRequest' }),
  example: {
    currentPassword: 'Buyer-demo-1!',
    password: 'Umbrella-7-tango',
    confirmPassword: 'Umbrella-7-tango',
  },
  success: 200,
  data: z.object({ message: z.string() }).meta({ id: 'ChangePasswordResult' }),
  errors: {
    PASSWORD_MISMATCH: 400,
    PASSWORD_TOO_WEAK: 400,
    PASSWORD_RECENTLY_USED: 400,
    INVALID_PASSWORD: 401,
  },

  async handle({ body }, context) {
    const { caller, db, identity } = context;
    const { password } = body;
    requireMatching(body);
    const owner = await ownerWith(body.currentPassword, context);
    requireStrong(password, owner);
    await requireUnused(identity.passwords, password, owner);
    const newHash = await identity.passwords.hash(password);
    const change = { owner, newHash, exceptSessionId: caller.sessionId, at: new Date() };
    // The password was changed meanwhile, so `currentPassword` is no longer current.
    if (!(await changePassword(db, change))) throw invalidPassword();
    context.recordSecurityEvent({ event: 'password-change', outcome: 'success', account: caller.id });
    return { message: 'Your password is changed. Your other sessions have ended.' };
  },
});

/** The caller's account, if the password is its own. */
async function ownerWith(currentPassword: string, context: Context<'user'>): Promise<PasswordOwner> {
  const { caller, db, recordSecurityEvent } = context;
  const owner = await passwordOwner(db, caller.id);
  if (!owner) throw invalidPassword();
  const result = await checkPassword(currentPassword, owner, context);
  if (result === 'right') return owner;
  recordSecurityEvent({ event: 'password-change', outcome: 'failure', account: owner.id, reason: result });
  throw invalidPassword();
}

const invalidPassword = (): Error =>
  refusal('INVALID_PASSWORD', 'The current password is wrong.', { currentPassword: ['is wrong'] });

import { z } from 'zod';
import { countFailedLogin, isLockedOut } from '../../db/identity/failed-login.writes';
import { passwordOwner, type PasswordOwner } from '../../db/identity/password.reads';
import { changePassword } from '../../db/identity/password.writes';
import { refusal } from '../../workflows/errors';
import { newPassword, requireMatching, requireStrong, requireUnused } from '../http/auth/new-password';
import { endpoint, type Context } from '../http/endpoint';
import { authPerMinute, perMinute } from '../http/limits';

export const changeMyPassword = endpoint({
  method: 'post',
  path: '/users/me/password',
  summary: 'Change your password',
  // Chosen: wrong present passwords count as failed logins, so that whoever found an open browser cannot guess on.
  description: 'Ends your other sessions; this one goes on.',
  tag: 'Account',
  auth: 'user',
  // Each call may cost seven password checks.
  limit: { ...perMinute(100), also: authPerMinute(5) },
  idempotent: false,

  body: z
    .object({
      currentPassword: z.string().min(1).max(1024),
      password: newPassword(),
      confirmPassword: z.string().max(128),
    })
    .meta({ id: 'ChangePasswordRequest' }),
  success: 200,
  data: z.object({ message: z.string() }).meta({ id: 'ChangePasswordResponse' }),
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
    // Changed meanwhile by somebody else: what was current is so no longer.
    if (!(await changePassword(db, change))) throw invalidPassword();
    return { message: 'Your password is changed. Your other sessions have ended.' };
  },
});

/** The caller's account, if the password is its own. */
async function ownerWith(
  currentPassword: string,
  { caller, db, identity }: Context<'user'>,
): Promise<PasswordOwner> {
  const owner = await passwordOwner(db, caller.id);
  const at = new Date();
  const matches = await identity.passwords.matches(currentPassword, owner?.passwordHash ?? null);
  if (!owner) throw invalidPassword();
  if (!matches) await countFailedLogin(db, owner.region, owner.email, at);
  else if (!(await isLockedOut(db, owner.region, owner.email, at))) return owner;
  throw invalidPassword();
}

const invalidPassword = (): Error =>
  refusal('INVALID_PASSWORD', 'The present password is wrong.', { currentPassword: ['is wrong'] });

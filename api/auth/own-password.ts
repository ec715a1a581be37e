import { z } from 'zod';
import {
  countFailedLogin,
  isLockedOut,
  type AccountName,
} from '../../db/identity/session/failed-login.writes';
import { passwordOwner } from '../../db/identity/password/password.reads';
import { refusal } from '../../workflows/errors';
import type { Context } from '../http/handler-context';

/** An account that a password is checked against; the id is null if no account has that name. */
interface NamedAccount extends AccountName {
  id: string | null;
  passwordHash: string | null;
}

/** `locked-out`: the password is right but not accepted, since too many wrong ones came before. */
type PasswordResult = 'right' | 'wrong' | 'locked-out';

/** Checks a password against an account's. A wrong one counts as a failed login, from any client and address. */
export async function checkPassword(
  password: string,
  account: NamedAccount,
  context: Pick<Context, 'db' | 'identity' | 'policy' | 'recordSecurityEvent'>,
): Promise<PasswordResult> {
  const { db, identity, policy } = context;
  const at = new Date();
  if (await identity.passwords.matches(password, account.passwordHash))
    return (await isLockedOut(db, account, at, policy)) ? 'locked-out' : 'right';
  const { locks } = await countFailedLogin(db, account, at, policy);
  if (locks) recordLockout(context, account.id ?? account);
  return 'wrong';
}

/** Records in the security log that an account accepts no sign-ins for a while. */
export const recordLockout = (
  { recordSecurityEvent }: Pick<Context, 'recordSecurityEvent'>,
  account: string | AccountName,
): void => recordSecurityEvent({ event: 'lockout', outcome: 'failure', account });

/** The request field in which a signed-in person sends their password. */
export const ownPassword = () => z.string().min(1).max(1024);

/**
 * The hash that the caller's password matches; a transaction that relies on it compares it with the locked account.
 * Refused: INVALID_PASSWORD, and `without` for an account that has no password since it signs in elsewhere.
 */
export async function requireOwnPassword(
  password: string,
  context: Context<'user'>,
  without: () => Error = wrongPassword,
): Promise<string> {
  const owner = await passwordOwner(context.db, context.caller.id);
  if (owner?.passwordHash == null) throw without();
  const result = await checkPassword(password, owner, context);
  if (result !== 'right') throw wrongPassword();
  return owner.passwordHash;
}

/** The refusal of a signed-in person's wrong password. */
export const wrongPassword = () =>
  refusal('INVALID_PASSWORD', 'The password is wrong.', { password: ['is wrong'] });

/** The refusal of a sign-in by e-mail address and password: it does not tell which of them is wrong. */
export const wrongCredentials = () => refusal('INVALID_CREDENTIALS');

import { z } from 'zod';
import {
  countFailedLogin,
  isLockedOut,
  type AccountName,
} from '../../db/identity/session/failed-login.writes';
import { passwordOwner } from '../../db/identity/password/password.reads';
import { refusal } from '../../workflows/errors';
import type { Context } from '../http/endpoint';

/** An account that a password is said to belong to; without an id where there is none of that name. */
interface NamedAccount extends AccountName {
  id: string | null;
  passwordHash: string | null;
}

/** `locked-out`: right, and not taken, for too many others were wrong lately. */
type PasswordVerdict = 'right' | 'wrong' | 'locked-out';

/** Holds a password against an account's. A wrong one counts as a failed login, whoever sends it from where. */
export async function checkPassword(
  password: string,
  account: NamedAccount,
  context: Pick<Context, 'db' | 'identity' | 'policy' | 'recordSecurityEvent'>,
): Promise<PasswordVerdict> {
  const { db, identity, policy } = context;
  const at = new Date();
  if (await identity.passwords.matches(password, account.passwordHash))
    return (await isLockedOut(db, account, at, policy)) ? 'locked-out' : 'right';
  const { locks } = await countFailedLogin(db, account, at, policy);
  if (locks) recordLockout(context, account.id ?? account);
  return 'wrong';
}

/** Writes down that an account takes no sign-ins for a while. */
export const recordLockout = (
  { recordSecurityEvent }: Pick<Context, 'recordSecurityEvent'>,
  account: string | AccountName,
): void => recordSecurityEvent({ event: 'lockout', outcome: 'failure', account });

/** The password of somebody who is signed in, in the body of what it is asked for. */
export const ownPassword = () => z.string().min(1).max(1024);

/**
 * The hash that the caller's password belongs to; a transaction that relies on it holds it against the locked account.
 * Refused: INVALID_PASSWORD; and what `without` makes for an account that signs in elsewhere and has none.
 */
export async function requireOwnPassword(
  password: string,
  context: Context<'user'>,
  without: () => Error = wrongPassword,
): Promise<string> {
  const owner = await passwordOwner(context.db, context.caller.id);
  if (owner?.passwordHash == null) throw without();
  const verdict = await checkPassword(password, owner, context);
  if (verdict !== 'right') throw wrongPassword();
  return owner.passwordHash;
}

export const wrongPassword = () =>
  refusal('INVALID_PASSWORD', 'The password is wrong.', { password: ['is wrong'] });

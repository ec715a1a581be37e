import type { LockedUser } from '../../db/identity/user/user-lock.writes';
import { isSessionFresh } from '../../db/identity/session/session.reads';
import type { Tx } from '../../db/sql/query';
import { refusal } from '../../workflows/errors';
import type { Context } from '../http/endpoint';
import { ownPassword, requireOwnPassword, wrongPassword } from './own-password';

/** Proves once more, with the account locked, what was shown before the transaction began. Throws the refusal. */
export type FreshProof = (tx: Tx, user: LockedUser) => Promise<void>;

/** The refusals of an endpoint that asks for a fresh sign-in. */
export const freshSignInErrors = { REAUTHENTICATION_REQUIRED: 403, INVALID_PASSWORD: 401 } as const;

/** The field by which such an endpoint takes the password instead. */
export const passwordInstead = () =>
  ownPassword().optional().meta({
    description: 'Needed only if the session was neither opened nor confirmed within the last minutes.',
    example: 'Buyer-demo-1!',
  });

/**
 * A session that somebody found open must not be enough for what decides over an account: it has to be opened, or
 * confirmed, lately, or the password comes along. On a fresh session `password` is not looked at.
 */
export async function requireFreshSignIn(
  password: string | undefined,
  context: Context<'user'>,
): Promise<FreshProof> {
  const { caller, db, policy } = context;
  const isFresh = (at: typeof db | Tx) => isSessionFresh(at, caller.sessionId, policy.freshSignInMinutes);
  if (await isFresh(db))
    return async (tx) => {
      if (!(await isFresh(tx))) throw reauthenticationRequired();
    };
  if (password === undefined) throw reauthenticationRequired();
  const passwordHash = await requireOwnPassword(password, context, reauthenticationRequired);
  return (_tx, user) =>
    user.passwordHash === passwordHash ? Promise.resolve() : Promise.reject(wrongPassword());
}

/** The refusal that asks to sign in anew, or to confirm the session. */
export const reauthenticationRequired = () =>
  refusal(
    'REAUTHENTICATION_REQUIRED',
    'Sign in again, confirm this session at /auth/confirm, or send your password along.',
  );

import type { LockedUser } from '../../db/identity/user/user-lock.writes';
import { isSessionFresh } from '../../db/identity/session/session.reads';
import type { Tx } from '../../db/sql/query';
import { refusal } from '../../workflows/errors';
import type { Context } from '../http/handler-context';
import { ownPassword, requireOwnPassword, wrongPassword } from './own-password';

/** Repeats, with the account locked, the proof that was given before the transaction. Throws the refusal. */
export type FreshProof = (tx: Tx, user: LockedUser) => Promise<void>;

/** The refusals of an endpoint that requires a fresh sign-in. */
export const freshSignInErrors = { REAUTHENTICATION_REQUIRED: 403, INVALID_PASSWORD: 401 } as const;

/** The field in which such an endpoint accepts the password instead. */
export const passwordInstead = () =>
  ownPassword().optional().meta({
    description: 'Required only if the session was neither opened nor confirmed within the last minutes.',
    example: 'Buyer-demo-1!',
  });

/**
 * Requires a session that was opened or confirmed recently, or the password, so that an unattended session is not enough
 * to take over an account. A fresh session ignores `password`. Refused: REAUTHENTICATION_REQUIRED, INVALID_PASSWORD.
 */
export async function requireFreshSignIn(
  password: string | undefined,
  context: Context<'user'>,
): Promise<FreshProof> {
  const { caller, db, policy } = context;
  const isFresh = (on: typeof db | Tx) => isSessionFresh(on, caller.sessionId, policy.freshSignInMinutes);
  if (await isFresh(db))
    return async (tx) => {
      if (!(await isFresh(tx))) throw reauthenticationRequired();
    };
  if (password === undefined) throw reauthenticationRequired();
  const passwordHash = await requireOwnPassword(password, context, reauthenticationRequired);
  return (_tx, user) =>
    user.passwordHash === passwordHash ? Promise.resolve() : Promise.reject(wrongPassword());
}

/** The refusal that requires to sign in again, or to confirm the session. */
export const reauthenticationRequired = () => refusal('REAUTHENTICATION_REQUIRED');

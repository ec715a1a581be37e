import { lockUserForSignIn, type LockedUser } from '../../db/identity/user/user-lock.writes';
import type { Tx } from '../../db/sql/query';
import { refusal } from '../../workflows/errors';
import type { Caller } from '../http/handler-context';

/** The caller's account, locked until the transaction ends. Refused: UNAUTHORIZED, if it was deleted. */
export async function lockedCaller(tx: Tx, caller: Caller): Promise<LockedUser> {
  const user = await lockUserForSignIn(tx, caller.id);
  if (user) return user;
  throw refusal('UNAUTHORIZED', 'This account no longer exists.');
}

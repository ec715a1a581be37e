import { accountOf, type Account } from '../../db/identity/user/account.reads';
import { refusal } from '../../workflows/errors';
import type { Context } from '../http/handler-context';

/** The refusal when the caller's account was erased since the request was authenticated. */
export const accountGone = (): Error => refusal('UNAUTHORIZED', 'This account no longer exists.');

/** The caller's own account. Refuses with UNAUTHORIZED if it is gone. */
export async function ownAccount({ caller, db }: Context<'user'>): Promise<Account> {
  const account = await accountOf(db, caller.id);
  if (!account) throw accountGone();
  return account;
}

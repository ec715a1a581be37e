import { accountOf, type Account } from '../../db/identity/user/account.reads';
import { refusal } from '../../workflows/errors';
import type { Context } from '../http/endpoint';

/** The caller's own account. Refuses with UNAUTHORIZED when it went while the request came. */
export async function ownAccount({ caller, db }: Context<'user'>): Promise<Account> {
  const account = await accountOf(db, caller.id);
  if (!account) throw refusal('UNAUTHORIZED', 'This account is gone.');
  return account;
}

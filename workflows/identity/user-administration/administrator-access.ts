import { refusal } from '../../errors';

/** An account with what it may do. */
export interface RoleHolder {
  id: string;
  roles: readonly string[];
}

/**
 * Refuses what an administrator may not do to an account: a SUPER_ADMIN is changed by nobody
 * (CANNOT_MODIFY_SUPER_ADMIN), an own account by nobody and an ADMIN by a SUPER_ADMIN only (FORBIDDEN). Both accounts
 * are to be read in the transaction of the change, because roles may have been taken away since the request began.
 */
export function requireMayAdminister(by: RoleHolder, account: RoleHolder): void {
  if (account.roles.includes('SUPER_ADMIN'))
    throw refusal(
      'CANNOT_MODIFY_SUPER_ADMIN',
      'A SUPER_ADMIN is not changed here; an operator takes the role away first.',
    );
  if (account.id === by.id) throw refusal('FORBIDDEN', 'Nobody administers an own account.');
  if (by.roles.includes('SUPER_ADMIN')) return;
  if (!by.roles.includes('ADMIN')) throw refusal('FORBIDDEN', 'Only an administrator does this.');
  if (account.roles.includes('ADMIN'))
    throw refusal('FORBIDDEN', 'Only a SUPER_ADMIN changes an administrator.');
}

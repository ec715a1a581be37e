import { refusal } from '../../errors';

/** An account and its roles. */
export interface RoleHolder {
  id: string;
  roles: readonly string[];
}

/** The refusal for an id that no user has. */
export const noSuchUser = (): Error => refusal('USER_NOT_FOUND');

/**
 * Refuses what an administrator may not do to an account: changing a SUPER_ADMIN (CANNOT_MODIFY_SUPER_ADMIN), their own
 * account or, unless they are a SUPER_ADMIN, an ADMIN (FORBIDDEN). Read both accounts in the transaction of the change:
 * roles may have been taken away since the request began.
 */
export function requireMayAdminister(by: RoleHolder, account: RoleHolder): void {
  if (account.roles.includes('SUPER_ADMIN')) throw refusal('CANNOT_MODIFY_SUPER_ADMIN');
  if (account.id === by.id) throw refusal('FORBIDDEN', 'You cannot administer your own account.');
  if (by.roles.includes('SUPER_ADMIN')) return;
  if (!by.roles.includes('ADMIN')) throw refusal('FORBIDDEN', 'This requires the ADMIN role.');
  if (account.roles.includes('ADMIN'))
    throw refusal('FORBIDDEN', 'Only a SUPER_ADMIN can change an administrator.');
}

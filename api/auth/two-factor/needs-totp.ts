import type { Identity } from '../../http/auth/identity';

/**
 * Whether only TOTP counts as a second factor of this account, and no mail takes it off: where administrators need one,
 * their mailbox must not be worth it.
 */
export const needsTotp = (
  { administratorsNeedTotp }: Pick<Identity, 'administratorsNeedTotp'>,
  { roles }: { roles: readonly string[] },
): boolean => administratorsNeedTotp && (roles.includes('ADMIN') || roles.includes('SUPER_ADMIN'));

import type { Identity } from '../../http/auth/identity';

/**
 * Requires TOTP as the second factor of this account, which no mail can take off: where administrators need a second
 * factor, access to their mailbox must not be enough to act as one.
 */
export const requiresTotp = (
  { administratorsNeedTotp }: Pick<Identity, 'administratorsNeedTotp'>,
  { roles }: { roles: readonly string[] },
): boolean => administratorsNeedTotp && (roles.includes('ADMIN') || roles.includes('SUPER_ADMIN'));

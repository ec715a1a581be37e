import type { Identity } from '../../http/auth/identity';
import { isAdministrator } from '../../../workflows/identity/user/user.rules';

/**
 * Requires TOTP as the second factor of this account, which no mail can take off: where administrators need a second
 * factor, access to their mailbox must not be enough to act as one.
 */
export const requiresTotp = (
  { administratorsNeedTotp }: Pick<Identity, 'administratorsNeedTotp'>,
  { roles }: { roles: readonly string[] },
): boolean => administratorsNeedTotp && isAdministrator(roles);

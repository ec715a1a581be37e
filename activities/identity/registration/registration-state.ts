import type { LockedAccount } from '../../../db/identity/registration/registration.transitions';
import { refusal } from '../../../workflows/errors';
import type {
  AwaitedVerification,
  RegistrationState,
} from '../../../workflows/identity/registration/registration.contract';
import { removedAt } from '../../../workflows/identity/registration/registration.rules';
import type { RegistrationPolicy } from './verification-mail';

/** The state of a registration by its account, which is null if there is none. */
export function registrationState(
  account: LockedAccount | null,
  policy: RegistrationPolicy,
): RegistrationState {
  if (!account) return 'GONE';
  return account.status === 'PENDING_VERIFICATION'
    ? awaitedVerification(account.createdAt, policy)
    : 'VERIFIED';
}

/** An account that waits to be verified since `createdAt`. */
export const awaitedVerification = (
  createdAt: Date,
  { unverifiedDays }: RegistrationPolicy,
): AwaitedVerification => ({
  createdAt: createdAt.toISOString(),
  removeAt: removedAt(createdAt, unverifiedDays).toISOString(),
});

/** The refusal for an account whose address has been verified before. */
export const alreadyVerified = (): Error => refusal('ALREADY_VERIFIED');

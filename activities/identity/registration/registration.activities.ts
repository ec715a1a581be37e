import { lockAccount } from '../../../db/identity/registration/registration.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type { RegistrationActivities } from '../../../workflows/identity/registration/registration.contract';
import { register } from './register';
import { registrationState } from './registration-state';
import { removeUnverified } from './remove-unverified';
import { resendVerification } from './resend-verification';
import type { RegistrationDeps } from './verification-mail';
import { verifyEmail } from './verify-email';

/** Each activity is one transaction and may run repeatedly: a repeat answers what was done before. */
export const registrationActivities = (deps: RegistrationDeps): RegistrationActivities => ({
  register: (command) => register(deps, command),
  registrationStanding: ({ userId }) =>
    inTransaction(deps.db, async (tx) => registrationState(await lockAccount(tx, userId), deps.policy)),
  verifyEmail: (command) => verifyEmail(deps, command),
  resendVerification: (command) => resendVerification(deps, command),
  removeUnverified: (account) => removeUnverified(deps, account),
});

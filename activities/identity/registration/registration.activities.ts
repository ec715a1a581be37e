import { lockAccount } from '../../../db/identity/registration/registration.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type { RegistrationActivities } from '../../../workflows/identity/registration/registration.contract';
import { steps } from '../../steps';
import { register } from './register';
import { registrationState } from './registration-state';
import { removeUnverified } from './remove-unverified';
import { resendVerification } from './resend-verification';
import type { RegistrationDeps } from './verification-mail';
import { verifyEmail } from './verify-email';

/** Each activity is one transaction and may run repeatedly: a repeat returns what was done before. */
export const registrationActivities = (deps: RegistrationDeps): RegistrationActivities =>
  steps<RegistrationActivities, RegistrationDeps>(deps, {
    register,
    verifyEmail,
    resendVerification,
    removeUnverified,
    registrationState: ({ db, policy }, { userId }) =>
      inTransaction(db, async (tx) => registrationState(await lockAccount(tx, userId), policy)),
  });

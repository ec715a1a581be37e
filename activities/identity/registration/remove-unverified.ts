import {
  lockAccount,
  removeUnverified as removeAccount,
} from '../../../db/identity/registration/registration.transitions';
import { inTransaction } from '../../../db/sql/transaction';
import type {
  RegistrationInput,
  RegistrationState,
} from '../../../workflows/identity/registration/registration.contract';
import { registrationState } from './registration-state';
import type { RegistrationDeps } from './verification-mail';

/** Removes an account whose time to be verified is over; one that was verified in the meantime stays. */
export const removeUnverified = (
  { db, policy }: RegistrationDeps,
  { userId, at }: RegistrationInput & { at: string },
): Promise<RegistrationState> =>
  inTransaction(db, async (tx) => {
    const state = registrationState(await lockAccount(tx, userId), policy);
    if (typeof state === 'string' || state.removeAt > at) return state;
    await removeAccount(tx, userId);
    return 'GONE';
  });

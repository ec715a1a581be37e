import { violates } from '../../../db/sql/errors';
import { lockAccount, openAccount } from '../../../db/identity/registration/registration.transitions';
import {
  forgetPendingRegistration,
  pendingRegistration,
  type PendingRegistration,
} from '../../../db/identity/registration/pending-registration.writes';
import { isPhoneNamed, lockPhone } from '../../../db/identity/user/phone.writes';
import { convertTouch } from '../../../db/partners/link/referral-touch.writes';
import type { Tx } from '../../../db/sql/query';
import { inTransaction } from '../../../db/sql/transaction';
import { refusal } from '../../../workflows/errors';
import type {
  AwaitedVerification,
  RegisterCommand,
} from '../../../workflows/identity/registration/registration.contract';
import { awaitedVerification } from './registration-state';
import { queueVerificationMail, type RegistrationDeps, type RegistrationPolicy } from './verification-mail';

/** Opens the account with its token and its mail. */
export async function register(
  { db, policy }: RegistrationDeps,
  command: RegisterCommand,
): Promise<AwaitedVerification> {
  try {
    return await inTransaction(db, (tx) => registerIn(tx, command, policy));
  } catch (error) {
    if (violates(error, 'users_region_email_key'))
      throw refusal('EMAIL_ALREADY_EXISTS', 'An account with this email address already exists.', {
        email: ['belongs to an account'],
      });
    throw error;
  }
}

async function registerIn(
  tx: Tx,
  { userId, tokenId, at }: RegisterCommand,
  policy: RegistrationPolicy,
): Promise<AwaitedVerification> {
  const before = await lockAccount(tx, userId);
  if (before) return awaitedVerification(before.createdAt, policy);
  const pending = await pendingRegistration(tx, userId);
  // Retention deletes pending registrations after a day, when nobody waits for the answer any longer.
  if (!pending)
    throw refusal('SERVICE_UNAVAILABLE', 'This registration could not be completed. Please register again.');
  const openedAt = new Date(at);
  await openUnlessTaken(tx, pending, openedAt);
  await queueVerificationMail(tx, pending, { userId, tokenId, at: openedAt }, policy);
  if (pending.touchId !== null && pending.sponsorId !== null)
    await convertTouch(tx, pending.touchId, userId, openedAt);
  await forgetPendingRegistration(tx, userId);
  return awaitedVerification(openedAt, policy);
}

/** Chosen: a new account may not name the number of another, proven or not; it is its own once it proves it. */
async function openUnlessTaken(tx: Tx, pending: PendingRegistration, at: Date): Promise<void> {
  const { userId, region, phone } = pending;
  if (phone !== null) await lockPhone(tx, { region, phone });
  await openAccount(tx, pending, at);
  if (phone !== null && (await isPhoneNamed(tx, { region, phone }, userId)))
    throw refusal('PHONE_ALREADY_EXISTS', 'An account with this phone number already exists.', {
      phone: ['belongs to an account'],
    });
}
